import { expect, test } from "vitest";
import { packedAddress, parsePackedAddress } from "./packed-address.ts";

test.each([
  "projects/-home/5c03.jsonl",
  "projects/x.pack.zst/1-2/subagents/agent-a.jsonl",
  "todos/line\nbreak.json",
])("parsePackedAddress() finds the pack and the place in the address of %j", (path) => {
  const pack = "/home/user/archive/mwl-0f.pack.zst";
  expect(parsePackedAddress(packedAddress(pack, { at: 12, bytes: 345, path }))).toEqual({
    file: pack,
    at: 12,
    bytes: 345,
  });
});

test.each([
  "/a/archive/5c03.mwl-0f/files/projects/p/5c03.jsonl.zst",
  "/a/x.pack.zst/1-2/5c03.jsonl",
  "x.pack.zst",
])("parsePackedAddress() takes %s for a file", (file) => {
  expect(parsePackedAddress(file)).toEqual({ file, at: 0 });
});
