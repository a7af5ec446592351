import { terminalText } from "../../../lib/terminal-text.ts";
import type { Style } from "../render/style.ts";
import { wrapText } from "../render/wrap-text.ts";

/** A claim of the tour, and where it was made. */
export interface Claim {
  scene: string;
  text: string;
  isSo: boolean;
}

/** Prints the tour: plain words, the commands with what they print, and a mark for every claim. */
export class Narrator {
  readonly claims: Claim[] = [];
  readonly #write: (line: string) => void;
  readonly #style: Style;
  readonly #columns: number;
  #scene = "";

  constructor({ write, style, columns }: { write: (line: string) => void; style: Style; columns: number }) {
    this.#write = write;
    this.#style = style;
    this.#columns = Math.min(columns, 100);
  }

  openScene(number: number, title: string): void {
    this.#scene = title;
    this.#write("");
    this.#write(this.#style.bold(`${number}  ${title}`));
  }

  tell(text: string): void {
    for (const line of wrapText(text, this.#columns - 3)) this.#write(`   ${line}`);
  }

  claim(text: string, isSo: boolean): void {
    this.claims.push({ scene: this.#scene, text, isSo });
    const mark = isSo ? this.#style.green("✓") : this.#style.red("✗");
    for (const [index, line] of wrapText(text, this.#columns - 5).entries())
      this.#write(`   ${index === 0 ? mark : " "} ${line}`);
  }

  command(line: string, printed: string): void {
    const [first = "", ...rest] = wrapText(`$ ${line}`, this.#columns - 5);
    for (const text of [first, ...rest.map((more) => `  ${more}`)])
      this.#write(`   ${this.#style.cyan(text)}`);
    for (const text of wrapText(terminalText(printed).trimEnd(), this.#columns - 5)) {
      this.#write(this.#style.dim(`     ${text}`.trimEnd()));
    }
  }
}
