/**
 * Which modes of a terminal a program has switched on, read from what it printed: the second screen, a hidden cursor,
 * mouse reports, pasted text in brackets, its own keyboard protocol. They outlive the looking: a terminal that is left
 * must be set back, one that comes to a running program must be set as the program believes it is.
 */
export class ScreenModes {
  readonly #modes = new Map<string, boolean>();
  #keyboards = 0;
  #rest = "";

  read(printed: string): void {
    const text = this.#rest + printed;
    for (const [, numbers, set, push, pop] of text.matchAll(modeSequence)) {
      for (const mode of numbers?.split(";") ?? []) this.#modes.set(mode, set === "h");
      if (push !== undefined) this.#keyboards += 1;
      if (pop !== undefined) this.#keyboards = Math.max(0, this.#keyboards - Number(pop || 1));
    }
    // A sequence may come in two pieces.
    this.#rest =
      /(?:\u001b|(?:\u001b\[|\u009b)[?<>]?[\d;]*)$/.exec(text.slice(-SEQUENCE_LENGTH_MAX))?.[0] ?? "";
  }

  get isSecondScreen(): boolean {
    return SECOND_SCREEN.some((mode) => this.#modes.get(mode) === true);
  }

  /** What a terminal is to be told that comes to the program now. */
  enter(): string {
    return this.#changed.map(([mode, isOn]) => `\u001b[?${mode}${isOn ? "h" : "l"}`).join("");
  }

  /** What a terminal is to be told that leaves the program. */
  leave(): string {
    const modes = this.#changed.reverse().map(([mode, isOn]) => `\u001b[?${mode}${isOn ? "l" : "h"}`);
    const keyboard = this.#keyboards > 0 ? `\u001b[<${this.#keyboards}u` : "";
    return `${STRING_END}${keyboard}${modes.join("")}${PLAIN}`;
  }

  get #changed(): [string, boolean][] {
    return [...this.#modes].filter(([mode, isOn]) => isOn !== ON_BY_ITSELF.has(mode));
  }
}

// Or all that follows would belong to a title that a program has begun and not ended.
const STRING_END = "\u001b\\";
// What is not counted is set back in any case: colours, letters that are lines, the number pad, overwriting, the cursor's
// form, and, without moving the cursor, the lines that scroll.
const PLAIN = "\u001b[0m\u001b(B\u000f\u001b>\u001b[4l\u001b[0 q\u001b7\u001b[r\u001b8";
// Private modes on and off; keyboard protocols pushed and popped. Each begins with ESC [, or with the one letter for it.
const modeSequence = /(?:\u001b\[|\u009b)(?:\?([\d;]+)([hl])|>(\d+)u|<(\d*)u)/g;
const SEQUENCE_LENGTH_MAX = 64;
const SECOND_SCREEN = ["1049", "1047", "47"];
/** Wrapping of long lines, and the cursor. */
const ON_BY_ITSELF: ReadonlySet<string> = new Set(["7", "25"]);
