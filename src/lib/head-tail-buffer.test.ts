import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { HeadTailBuffer } from "./head-tail-buffer.ts";

function bufferOf(chunks: readonly (string | Buffer)[], bytesMax: number): HeadTailBuffer {
  const buffer = new HeadTailBuffer({ bytesMax });
  for (const chunk of chunks) buffer.push(Buffer.from(chunk));
  return buffer;
}

describe("HeadTailBuffer", () => {
  it("gives everything back while it fits", () => {
    expect(bufferOf(["abc", "", "defgh"], 8).toString()).toBe("abcdefgh");
  });

  it("keeps head and tail and says what is missing", () => {
    expect(bufferOf(["abcd", "efgh", "ijkl"], 8).toString()).toBe("abcd\n[output truncated: 4 bytes]\nijkl");
  });

  it("never cuts a character", () => {
    expect(bufferOf(["aé€😀", "x".repeat(50), "😀€éz"], 10).toString()).toBe(
      "aé\n[output truncated: 64 bytes]\néz",
    );
  });

  it("holds bounded memory however much is pushed", () => {
    const buffer = new HeadTailBuffer({ bytesMax: 100 });
    for (let index = 0; index < 100_000; index++) buffer.push(Buffer.from("0123456789"));
    expect(buffer.totalBytes).toBe(1_000_000);
    expect(buffer.toString()).toBe(
      `${"0123456789".repeat(5)}\n[output truncated: 999900 bytes]\n${"0123456789".repeat(5)}`,
    );
  });

  it("accounts for every byte, in whatever pieces they come", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 80 });
    fc.assert(
      fc.property(
        text,
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 1, max: 7 }),
        (all, max, piece) => {
          const bytes = Buffer.from(all);
          const chunks: Buffer[] = [];
          for (let at = 0; at < bytes.length; at += piece) chunks.push(bytes.subarray(at, at + piece));
          const shown = bufferOf(chunks, max).toString();
          const [, head = shown, cut = "0", tail = ""] =
            /^([^]*)\n\[output truncated: (\d+) bytes\]\n([^]*)$/.exec(shown) ?? [];
          expect(all.startsWith(head) && all.endsWith(tail)).toBe(true);
          expect(Buffer.byteLength(head) + Buffer.byteLength(tail) + Number(cut)).toBe(bytes.length);
        },
      ),
    );
  });
});
