import fs from "node:fs";
import { expect, test } from "vitest";
import { seededRandom } from "../../test/support/index.ts";
import { withFile } from "../../test/support/with-file.ts";
import { TailBuffer } from "./tail-buffer.ts";

const line = (bytes: number): string => `${"x".repeat(bytes)}\n`;
const noLimit = { bytesMax: Number.MAX_SAFE_INTEGER };

test("TailBuffer gives the last bytes of one file after the other, and the beginning of their first line", () => {
  const random = seededRandom(20_261_116);
  const lengths = [0, 1, 99, 5000, 70_000, 300_000, 1_500_000, 5_000_000];
  const tail = new TailBuffer(Buffer.alloc(100_000));
  for (let round = 0; round < 40; round++) {
    const lines = Array.from({ length: random.between(1, 4) }, () =>
      line(lengths[random.between(0, lengths.length - 1)]!),
    );
    const content = lines.join("").slice(0, random.between(0, 1) === 0 ? undefined : -1);
    const length = random.between(1, 10 ** random.between(1, 5));
    const cutAt = Math.max(0, content.length - length);
    withFile(content, (fd) => {
      const last = tail.read(fd, { size: content.length, length }).toString("latin1");
      const whole = tail.readFromLineStart(noLimit).toString("latin1");
      const lineStart = content.slice(0, cutAt).lastIndexOf("\n") + 1;
      expect(
        [last === content.slice(cutAt), whole === content.slice(lineStart)],
        `seed ${random.seed}, ${round}`,
      ).toEqual([true, true]);
    });
  }
});

test("TailBuffer gives up on a line that is too long, and goes on with the next file", () => {
  const tail = new TailBuffer(Buffer.alloc(100_000));
  withFile(line(10_000), (fd) => {
    tail.read(fd, { size: 10_001, length: 100 });
    expect(tail.readFromLineStart({ bytesMax: 10_000 })).toHaveLength(0);
    tail.read(fd, { size: 10_001, length: 100 });
    expect(tail.readFromLineStart({ bytesMax: 10_001 })).toHaveLength(10_001);
  });
});

test("TailBuffer gives what is left of a file that has become shorter, and no bytes of another one", () => {
  const tail = new TailBuffer(Buffer.alloc(100_000));
  withFile(line(1000), (fd, file) => {
    tail.read(fd, { size: 1001, length: 1001 });
    fs.truncateSync(file, 950);
    expect(tail.read(fd, { size: 1001, length: 100 })).toHaveLength(49);
    expect(tail.readFromLineStart(noLimit)).toHaveLength(0);
    fs.truncateSync(file, 100);
    expect(tail.read(fd, { size: 1001, length: 100 })).toHaveLength(0);
    expect(tail.readFromLineStart(noLimit)).toHaveLength(0);
  });
});
