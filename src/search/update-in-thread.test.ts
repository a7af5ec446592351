import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir, threadCount, TranscriptBuilder, waitFor } from "../../test/support/index.ts";
import { indexPieceBytes } from "./limits.ts";
import { updateInThread } from "./update-in-thread.ts";
import { updateWords, type IndexProgress, type IndexUpdate } from "./update-words.ts";

function makeContext(): { configDir: string; home: string } {
  const dir = tempDir();
  return { configDir: path.join(dir, "config"), home: path.join(dir, "home") };
}

/** A transcript of several pieces. */
function writeLong(configDir: string): void {
  const builder = new TranscriptBuilder({ cwd: "/p" });
  for (let count = 0; count < 40; count++) builder.prompt("a long text ".repeat(indexPieceBytes / 120));
  builder.write(configDir);
}

describe("updateInThread()", () => {
  test("takes in what this thread would, tells how far it is, and leaves no thread", async () => {
    const context = makeContext();
    writeLong(context.configDir);
    const threads = threadCount();
    const told: IndexProgress[] = [];
    const outcome = await updateInThread(context, { onProgress: (progress) => told.push(progress) });
    expect(outcome).toEqual(await updateWords({ ...context, home: tempDir() }, {}));
    expect(told.length).toBeGreaterThan(1);
    expect(told.at(-1)!.doneBytes).toBe(told.at(-1)!.totalBytes);
    await waitFor(() => threadCount() <= threads);
  });

  test("goes on in this thread where the memory of its own does not suffice", async () => {
    const context = makeContext();
    const builder = new TranscriptBuilder({ cwd: "/p" });
    builder.prompt("one line ".repeat(4_000_000));
    builder.write(context.configDir);
    const limits = { maxOldGenerationSizeMb: 8 };
    const outcome = await updateInThread(context, {}, limits);
    expect(outcome).toMatchObject({ kind: "updated", update: { files: 1 } });
  });

  test("fails when who is told of its progress does", async () => {
    const context = makeContext();
    writeLong(context.configDir);
    const onProgress = (): never => {
      throw new Error("nobody listens");
    };
    await expect(updateInThread(context, { onProgress })).rejects.toThrow("nobody listens");
  });

  test("ends at a signal, and the next update goes on", async () => {
    const context = makeContext();
    writeLong(context.configDir);
    const stop = new AbortController();
    const stopped = updateInThread(context, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
    const { bytes, ...count } = await finish(context);
    const whole = await finish({ ...context, home: tempDir() });
    expect(whole).toMatchObject(count);
    expect(bytes).toBeLessThan(whole.bytes);
  });
});

async function finish(context: { configDir: string; home: string }): Promise<IndexUpdate> {
  const outcome = await updateInThread(context, {});
  if (outcome.kind !== "updated") throw new Error(outcome.trouble);
  return outcome.update;
}
