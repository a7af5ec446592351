import { Component, createRef, type ComponentChildren, type RefObject } from "preact";
import { Heights } from "./fenwick.ts";

export interface VirtualListProps {
  /** Rows have the numbers from `origin` on, so that rows can be put before the first one. */
  count: number;
  origin?: number;
  /** Height of a row that was never shown. */
  estimate: number;
  /** With another one, what was measured is void. */
  generation?: string;
  children: (index: number) => ComponentChildren;
  /** Gets the list while it is there, for whoever scrolls it. */
  handle?: RefObject<VirtualList | null>;
  label: string;
  role?: "feed" | "list" | "log";
  class?: string;
  /** Stays at the end while rows are added, as long as the reader is there. */
  follows?: boolean;
  onRange?: (range: { from: number; to: number; first: number }) => void;
  onFollow?: (isFollowing: boolean) => void;
}

/** Pixels from the end within which a reader counts as being there. */
const END_PX = 32;
/** Rows are made so far before they come into sight. */
const AHEAD_PX = 400;
/** Of a box that is not there yet. */
const FIRST_VIEW_PX = 600;

/**
 * A list of any number of rows of any heights, of which only those in sight exist. The row at the top stays where it is,
 * whatever is measured, added or removed above it.
 */
export class VirtualList extends Component<VirtualListProps> {
  readonly #box = createRef<HTMLDivElement>();
  #heights = new Heights(this.props.count, this.props.estimate);
  #measured = new Map<number, number>();
  /** The first row in sight, and how much of it is above. */
  #anchor = { index: this.#origin, above: 0 };
  #isFollowing = this.props.follows === true;
  #lastTop = 0;
  #observer: ResizeObserver | undefined;
  #range = "";

  get #origin(): number {
    return this.props.origin ?? 0;
  }

  override componentDidMount(): void {
    if (this.props.handle) this.props.handle.current = this;
    this.#observer = new ResizeObserver((entries) => this.#measure(entries));
    this.#observer.observe(this.#box.current!);
    this.#observeRows();
    if (this.#isFollowing) this.#toEnd();
    this.forceUpdate();
  }

  override componentWillUnmount(): void {
    if (this.props.handle?.current === this) this.props.handle.current = null;
    this.#observer?.disconnect();
  }

  override componentWillReceiveProps(next: VirtualListProps): void {
    const origin = next.origin ?? 0;
    if (next.generation !== this.props.generation || next.estimate !== this.props.estimate) {
      this.#measured.clear();
      this.#heights = new Heights(next.count, next.estimate);
      this.#anchor = { index: origin, above: 0 };
      this.#isFollowing = next.follows === true && this.#isFollowing;
    } else if (origin === this.#origin) this.#heights.resize(next.count);
    else {
      this.#heights = new Heights(next.count, next.estimate);
      for (const [index, height] of this.#measured)
        if (index < origin || index >= origin + next.count) this.#measured.delete(index);
        else this.#heights.set(index - origin, height);
      if (this.#anchor.index < origin) this.#anchor = { index: origin, above: 0 };
    }
  }

  override componentDidUpdate(): void {
    this.#observeRows();
    if (this.#isFollowing) this.#toEnd();
    else this.#keepAnchor();
  }

  /** Brings a row to the top, to the middle, or only into sight. */
  scrollTo(index: number, where: "start" | "middle" | "near" = "start"): void {
    const box = this.#box.current;
    if (!box) return;
    const at = index - this.#origin;
    const [top, height] = [this.#heights.offsetOf(at), this.#heights.heightOf(at)];
    const isInSight = top >= box.scrollTop && top + height <= box.scrollTop + box.clientHeight;
    if (where === "near" && isInSight) return;
    this.#setFollowing(false);
    const isBelow = top > box.scrollTop;
    const space = box.clientHeight - height;
    const above = where === "start" ? 0 : where === "middle" ? space / 2 : isBelow ? space : 0;
    this.#anchor = { index, above: -Math.max(0, above) };
    this.#keepAnchor();
    this.forceUpdate();
  }

  scrollToEnd(): void {
    this.#setFollowing(true);
    this.#toEnd();
    this.forceUpdate();
  }

  /** The element of a row, if it is in sight. */
  rowElement(index: number): HTMLElement | null {
    return this.#box.current?.querySelector<HTMLElement>(`.virtual-row[data-index="${index}"]`) ?? null;
  }

  override render({ count, label, role = "list", children, ...props }: VirtualListProps) {
    const box = this.#box.current;
    const heights = this.#heights;
    const top = box ? this.#topWanted() : this.#isFollowing ? heights.total - FIRST_VIEW_PX : 0;
    const view = box?.clientHeight ?? FIRST_VIEW_PX;
    const first = heights.indexAt(Math.max(0, top - AHEAD_PX));
    const last = count === 0 ? -1 : heights.indexAt(top + view + AHEAD_PX);
    this.#tellRange({ from: first, to: last + 1, first: heights.indexAt(top) });
    const rows = Array.from({ length: last - first + 1 }, (_, step) => this.#origin + first + step);
    return (
      <div
        class={`virtual-list ${props.class ?? ""}`}
        ref={this.#box}
        tabIndex={0}
        role={role}
        aria-label={label}
        onScroll={() => this.#onScroll()}
        onWheel={(event) => event.deltaY < 0 && this.#setFollowing(false)}
      >
        <div class="virtual-height" style={{ height: `${heights.total}px` }} role="presentation">
          <div
            class="virtual-rows"
            style={{ transform: `translateY(${heights.offsetOf(first)}px)` }}
            role="presentation"
          >
            {rows.map((index) => (
              <div
                class="virtual-row"
                key={index}
                data-index={index}
                role={role === "list" ? "listitem" : "presentation"}
              >
                {children(index)}
              </div>
            ))}
          </div>
        </div>
      </div>
    );
  }

  // Where the anchor wants the top to be; the element itself may not be as high yet.
  #topWanted(): number {
    const box = this.#box.current!;
    if (this.#isFollowing) return Math.max(0, this.#heights.total - box.clientHeight);
    return Math.max(0, this.#heights.offsetOf(this.#anchor.index - this.#origin) + this.#anchor.above);
  }

  #onScroll(): void {
    const box = this.#box.current;
    if (!box) return;
    const top = box.scrollTop;
    // A scroll of our own: the anchor is right already.
    if (Math.abs(top - this.#lastTop) < 1) return;
    const isUp = top < this.#lastTop;
    this.#lastTop = top;
    const at = this.#heights.indexAt(top);
    this.#anchor = { index: at + this.#origin, above: top - this.#heights.offsetOf(at) };
    const isAtEnd = top + box.clientHeight >= this.#heights.total - END_PX;
    if (isUp && !isAtEnd) this.#setFollowing(false);
    else if (isAtEnd && this.props.follows) this.#setFollowing(true);
    this.forceUpdate();
  }

  #setFollowing(isFollowing: boolean): void {
    if (isFollowing === this.#isFollowing || (isFollowing && !this.props.follows)) return;
    this.#isFollowing = isFollowing;
    const top = this.#box.current?.scrollTop ?? 0;
    const at = this.#heights.indexAt(top);
    this.#anchor = { index: at + this.#origin, above: top - this.#heights.offsetOf(at) };
    this.props.onFollow?.(isFollowing);
  }

  #toEnd(): void {
    const box = this.#box.current;
    if (!box) return;
    box.scrollTop = box.scrollHeight;
    this.#lastTop = box.scrollTop;
  }

  #keepAnchor(): void {
    const box = this.#box.current;
    if (!box) return;
    const wanted = this.#topWanted();
    if (Math.abs(box.scrollTop - wanted) >= 1) box.scrollTop = wanted;
    this.#lastTop = box.scrollTop;
  }

  #measure(entries: ResizeObserverEntry[]): void {
    let isChanged = false;
    for (const { target } of entries) {
      const given = (target as HTMLElement).dataset["index"];
      if (given === undefined) isChanged = true;
      else {
        const index = Number(given);
        const height = (target as HTMLElement).getBoundingClientRect().height;
        const at = index - this.#origin;
        if (!target.isConnected || at < 0 || at >= this.#heights.count) continue;
        this.#measured.set(index, height);
        if (this.#heights.set(at, height) !== 0) isChanged = true;
      }
    }
    if (isChanged) this.forceUpdate();
  }

  #observed = new Set<Element>();

  #observeRows(): void {
    const rows = new Set(
      this.#box.current!.querySelectorAll(":scope > .virtual-height > .virtual-rows > .virtual-row"),
    );
    for (const gone of this.#observed) if (!rows.has(gone)) this.#observer?.unobserve(gone);
    for (const row of rows) if (!this.#observed.has(row)) this.#observer?.observe(row);
    this.#observed = rows;
  }

  #tellRange(at: { from: number; to: number; first: number }): void {
    const [from, to, first] = [at.from, at.to, at.first].map((index) => index + this.#origin) as [
      number,
      number,
      number,
    ];
    const range = `${from} ${to} ${first}`;
    if (range === this.#range) return;
    this.#range = range;
    queueMicrotask(() => this.props.onRange?.({ from, to, first }));
  }
}
