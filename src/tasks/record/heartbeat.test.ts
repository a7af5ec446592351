import fs from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { heartbeatMs, silenceMsMax } from "../limits.ts";
import { hasFallenSilent, keepBeating, lastBeat } from "./heartbeat.ts";

function beatFiles(): { beat: string; asked: string } {
  const dir = tempDir();
  return { beat: path.join(dir, "b1.beat"), asked: path.join(dir, "b1.asked") };
}

const ageBy = (file: string, ms: number): void => fs.utimesSync(file, new Date(), new Date(Date.now() - ms));

test("hasFallenSilent() asks first, and believes the silence only when it has lasted since", () => {
  const files = beatFiles();
  fs.writeFileSync(files.beat, "");
  ageBy(files.beat, 100 * silenceMsMax);
  // As after a night: nobody could have beaten while the machine was suspended.
  expect(hasFallenSilent(files)).toBe(false);
  ageBy(files.asked, silenceMsMax - 10_000);
  expect(hasFallenSilent(files)).toBe(false);
  ageBy(files.asked, silenceMsMax + 10_000);
  expect(hasFallenSilent(files)).toBe(true);
});

test("hasFallenSilent() asks again after an answer", () => {
  const files = beatFiles();
  fs.writeFileSync(files.asked, "");
  ageBy(files.asked, 3 * silenceMsMax);
  fs.writeFileSync(files.beat, "");
  ageBy(files.beat, 2 * silenceMsMax);
  expect(hasFallenSilent(files)).toBe(false);
  expect(fs.statSync(files.asked).mtimeMs).toBeGreaterThan(Date.now() - silenceMsMax);
});

test("hasFallenSilent() expects nothing of who never beat", () => {
  const files = beatFiles();
  fs.writeFileSync(files.asked, "");
  ageBy(files.asked, 2 * silenceMsMax);
  expect(hasFallenSilent(files)).toBe(false);
});

test("keepBeating() beats at once and every minute until it is stopped", () => {
  const files = beatFiles();
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  using _ = { [Symbol.dispose]: () => void vi.useRealTimers() };
  const beating = keepBeating(files);
  const isBeating = (): boolean => {
    fs.utimesSync(files.beat, 0, 0);
    vi.advanceTimersByTime(heartbeatMs);
    return lastBeat(files)!.getTime() > 0;
  };
  expect(lastBeat(files)).toBeInstanceOf(Date);
  expect(isBeating()).toBe(true);
  beating.stop();
  vi.advanceTimersByTime(heartbeatMs);
  // Of what has ended nobody asks for a beat.
  expect(lastBeat(files)).toBe(undefined);
});
