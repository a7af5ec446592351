import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { RawJson } from "../../lib/json-pieces.ts";
import { writeJsonObject } from "./json-output.ts";
import { openOutput } from "./output.ts";

async function written(fields: Record<string, unknown>): Promise<string> {
  const stream = new PassThrough();
  let text = "";
  stream.on("data", (data: Buffer) => (text += data.toString()));
  await writeJsonObject(openOutput(stream), fields);
  return text;
}

describe("writeJsonObject()", () => {
  test("writes values, what functions answer, and arrays item by item", async () => {
    let seen = 0;
    async function* items(): AsyncGenerator {
      yield { a: 1 };
      yield new RawJson('{"raw": 1.0}');
      seen = 2;
    }
    const text = await written({ id: "x", entries: items(), count: () => seen, none: [], gone: undefined });
    expect(text).toBe(
      '{"schemaVersion":1,"id":"x","entries":[\n{"a":1},\n{"raw": 1.0}\n],"count":2,"none":[],"gone":null}\n',
    );
  });

  test("waits for the reader, so that a long array is never held whole", async () => {
    let made = 0;
    async function* items(): AsyncGenerator<string> {
      for (; made < 1000; made++) yield "x".repeat(10_000);
    }
    const stream = new PassThrough({ highWaterMark: 64 * 1024 });
    const writing = writeJsonObject(openOutput(stream), { items: items() });
    for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
    expect(made).toBeLessThan(100);
    stream.resume();
    await writing;
    expect(made).toBe(1000);
  });
});
