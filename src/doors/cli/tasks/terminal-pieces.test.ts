import { describe, expect, test } from "vitest";
import { terminalText } from "../../../lib/terminal-text.ts";
import { terminalPieces } from "./terminal-pieces.ts";

async function shown(pieces: readonly (string | Uint8Array)[]): Promise<string> {
  async function* stream(): AsyncGenerator<Uint8Array> {
    for (const piece of pieces) yield typeof piece === "string" ? Buffer.from(piece) : piece;
  }
  let text = "";
  for await (const piece of terminalPieces(stream())) text += piece;
  return text;
}

describe("terminalPieces()", () => {
  const samples = [
    "plain\nlines\n",
    "\u001b[31;1mred\u001b[0m and \u001b]0;title\u0007after\n",
    "10%\r20%\rdone\r\nnext\r\n",
    "\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\\u001b(Bx",
    "grüße 家族 ok\n",
    "\u009b31mC1\u009d0;t\u009cx",
  ];

  test.each(samples)("shows %j alike wherever it is cut", async (text) => {
    const bytes = Buffer.from(text);
    for (let at = 0; at <= bytes.length; at++) {
      expect(await shown([bytes.subarray(0, at), bytes.subarray(at)])).toBe(terminalText(text));
    }
  });

  test("shows what a sequence without end holds", async () => {
    expect(await shown(["a\u001b]0;never", " ended"])).toBe(terminalText("a\u001b]0;never ended"));
    const long = "x".repeat(10_000);
    expect(await shown(["a\u001b]0;", long, "b"])).toContain("b");
  });
});
