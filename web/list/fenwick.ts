/** More rows than this at once are summed together. */
const MANY = 1000;

/** Heights of rows: the sum before any row, and the row at any height, in logarithmic time. */
export class Heights {
  #heights: Float64Array;
  #sums: Float64Array;
  #count = 0;
  readonly #estimate: number;

  /** A row that was never measured counts as `estimate`. */
  constructor(count: number, estimate: number) {
    this.#estimate = estimate;
    this.#heights = new Float64Array(0);
    this.#sums = new Float64Array(1);
    this.resize(count);
  }

  get count(): number {
    return this.#count;
  }

  get total(): number {
    return this.offsetOf(this.#count);
  }

  heightOf(index: number): number {
    return this.#heights[index] ?? this.#estimate;
  }

  /** Returns by how much it grew. */
  set(index: number, height: number): number {
    const change = height - this.#heights[index]!;
    if (change === 0) return 0;
    this.#heights[index] = height;
    for (let at = index + 1; at <= this.#heights.length; at += at & -at) this.#sums[at]! += change;
    return change;
  }

  /** The height of all rows before this one. */
  offsetOf(index: number): number {
    let sum = 0;
    for (let at = Math.min(index, this.#count); at > 0; at -= at & -at) sum += this.#sums[at]!;
    return sum;
  }

  /** The row that covers this height; the last one for anything beyond. */
  indexAt(offset: number): number {
    let at = 0;
    let rest = offset;
    for (let step = 2 ** Math.floor(Math.log2(Math.max(1, this.#heights.length))); step > 0; step >>= 1) {
      if (at + step > this.#count || this.#sums[at + step]! > rest) continue;
      at += step;
      rest -= this.#sums[at]!;
    }
    return Math.max(0, Math.min(at, this.#count - 1));
  }

  resize(count: number): void {
    if (count > this.#heights.length) this.#grow(Math.max(count, this.#heights.length * 2));
    if (count - this.#count > MANY) {
      this.#heights.fill(this.#estimate, this.#count, count);
      this.#sum();
    } else for (let index = this.#count; index < count; index++) this.set(index, this.#estimate);
    for (let index = count; index < this.#count; index++) this.set(index, 0);
    this.#count = count;
  }

  #grow(capacity: number): void {
    const heights = new Float64Array(capacity);
    heights.set(this.#heights);
    this.#heights = heights;
    this.#sums = new Float64Array(capacity + 1);
    this.#sum();
  }

  // All sums anew, in linear time.
  #sum(): void {
    const capacity = this.#heights.length;
    this.#sums.fill(0);
    for (let at = 1; at <= capacity; at++) {
      this.#sums[at]! += this.#heights[at - 1]!;
      const above = at + (at & -at);
      if (above <= capacity) this.#sums[above]! += this.#sums[at]!;
    }
  }
}
