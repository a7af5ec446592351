import { useRef } from "preact/hooks";
import { formatBytes } from "../../src/lib/quantities.ts";

const STEP = 1 / 50;

/** A scrollbar of bytes, not of pixels: no element is as high as a large output. */
export function ByteBar({
  bytes,
  from,
  isAtEnd,
  marks,
  onGoTo,
}: {
  bytes: number;
  /** The first byte in sight. */
  from: number;
  isAtEnd: boolean;
  /** How many matches are in each of equal parts of the stream. */
  marks: readonly number[];
  onGoTo: (byte: number) => void;
}) {
  const bar = useRef<HTMLDivElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const share = isAtEnd ? 1 : bytes === 0 ? 0 : Math.min(1, from / bytes);
  const toPoint = ({ clientY }: PointerEvent): void => {
    const { top, height } = bar.current!.getBoundingClientRect();
    const byte = Math.min(Math.max((clientY - top) / height, 0), 0.9999) * bytes;
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onGoTo(byte), 40);
  };
  return (
    <div
      class="byte-bar"
      ref={bar}
      role="slider"
      aria-orientation="vertical"
      aria-label="Place in the output"
      aria-valuemin={0}
      aria-valuemax={bytes}
      aria-valuenow={from}
      aria-valuetext={`${formatBytes(from)} of ${formatBytes(bytes)}`}
      tabIndex={0}
      onPointerDown={(event) => {
        bar.current!.setPointerCapture(event.pointerId);
        toPoint(event);
      }}
      onPointerMove={(event) => event.buttons > 0 && toPoint(event)}
      onKeyDown={(event) => {
        const step = { ArrowUp: -STEP, ArrowDown: STEP, PageUp: -STEP * 5, PageDown: STEP * 5 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        onGoTo(Math.min(Math.max(from + step * bytes, 0), bytes - 1));
      }}
    >
      {marks.map((count, index) =>
        count === 0 ? null : (
          <div key={index} class="tick" style={{ top: `${(index / marks.length) * 100}%` }} />
        ),
      )}
      <div class="thumb" style={{ top: `calc(${share} * (100% - 24px))` }} />
    </div>
  );
}
