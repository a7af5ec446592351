import { describe, expect, test } from "vitest";
import { ScreenModes } from "./screen-modes.ts";

const END = "\u001b\\";
const PLAIN = "\u001b[0m\u001b(B\u000f\u001b>\u001b[4l\u001b[0 q\u001b7\u001b[r\u001b8";
const RESET = END + PLAIN;

function modesAfter(...pieces: string[]): ScreenModes {
  const modes = new ScreenModes();
  for (const piece of pieces) modes.read(piece);
  return modes;
}

describe("ScreenModes", () => {
  test("says nothing of a program that only prints", () => {
    const modes = modesAfter("hello\r\n\u001b[31mred\u001b[0m\u001b[2K");
    expect([modes.isSecondScreen, modes.enter(), modes.leave()]).toEqual([false, "", RESET]);
  });

  test("sets back what a program has set, the last first, and sets it again for who comes later", () => {
    const modes = modesAfter("\u001b[?1049h\u001b[?25l\u001b[?1000;1006h");
    expect(modes.isSecondScreen).toBe(true);
    expect(modes.enter()).toBe("\u001b[?1049h\u001b[?25l\u001b[?1000h\u001b[?1006h");
    expect(modes.leave()).toBe(`${END}\u001b[?1006l\u001b[?1000l\u001b[?25h\u001b[?1049l${PLAIN}`);
  });

  test("forgets what a program has set back itself", () => {
    const modes = modesAfter("\u001b[?1049h\u001b[?25l", "\u001b[?25h\u001b[?1049l");
    expect([modes.isSecondScreen, modes.enter(), modes.leave()]).toEqual([false, "", RESET]);
  });

  test("counts keyboard protocols", () => {
    expect(modesAfter("\u001b[>1u\u001b[>5u\u001b[<u").leave()).toBe(`${END}\u001b[<1u${PLAIN}`);
    expect(modesAfter("\u001b[>1u\u001b[<2u").leave()).toBe(RESET);
  });

  test("reads a sequence that comes in two pieces, once", () => {
    for (const text of ["x\u001b[?1049hy\u001b[>1uz", "x\u009b?1049hy\u009b>1uz"])
      for (let at = 0; at <= text.length; at++) {
        const modes = modesAfter(text.slice(0, at), text.slice(at));
        expect(modes.leave()).toBe(`${END}\u001b[<1u\u001b[?1049l${PLAIN}`);
      }
  });
});
