import fs from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { tempDir } from "../../test/support/index.ts";
import { eachName, namesIn, type OnUnreadable } from "./names-in.ts";

test("namesIn() and eachName() list a folder, and nothing for what is none or not there", () => {
  const dir = tempDir();
  fs.writeFileSync(path.join(dir, "file"), "");
  fs.mkdirSync(path.join(dir, "folder"));
  for (const names of [namesIn(dir), [...eachName(dir)]]) expect(names.sort()).toEqual(["file", "folder"]);
  for (const name of ["folder", "file", "absent"].map((each) => path.join(dir, each)))
    expect([namesIn(name), [...eachName(name)]]).toEqual([[], []]);
});

// The tests may run as root, who may read everything.
function failWith(code: string): Error {
  const error = Object.assign(new Error(code), { code });
  for (const name of ["readdirSync", "opendirSync"] as const) {
    const spy = vi.spyOn(fs, name).mockImplementation(() => {
      throw error;
    });
    onTestFinished(() => spy.mockRestore());
  }
  return error;
}

test.each(["EACCES", "EPERM"])("namesIn() tells of a folder that may not be read (%s)", (code) => {
  const error = failWith(code);
  const onUnreadable = vi.fn<OnUnreadable>();
  expect([namesIn("/closed", onUnreadable), namesIn("/closed")]).toEqual([[], []]);
  expect(onUnreadable.mock.calls).toEqual([["/closed", error]]);
  expect([...eachName("/closed")]).toEqual([]);
});

test.each(["EIO", "EMFILE"])("namesIn() throws what says nothing about the folder (%s)", (code) => {
  const error = failWith(code);
  expect(() => namesIn("/any", () => {})).toThrow(error);
  expect(() => [...eachName("/any")]).toThrow(error);
});
