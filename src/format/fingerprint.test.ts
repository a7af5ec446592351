import fc from "fast-check";
import { expect, test } from "vitest";
import { fingerprint } from "./fingerprint.ts";

const work = { kind: "local_agent", text: "Count the\n  files", cwd: "/project" } as const;

test("fingerprint() is the same for the same words, however they are wrapped", () => {
  expect(fingerprint({ ...work, text: "  Count the files\n" })).toBe(fingerprint(work));
});

test("fingerprint() keeps the line breaks of a command, and no other white space", () => {
  const command = { ...work, kind: "local_bash" } as const;
  const of = (text: string): string => fingerprint({ ...command, text });
  expect(of("\n make  test \n\n\tmake\r\n")).toBe(of("make test\nmake"));
  expect(of("make test\nmake")).not.toBe(of("make test make"));
});

test("fingerprint() is the same for an agent here and on another machine", () => {
  expect(fingerprint({ ...work, kind: "remote_agent" })).toBe(fingerprint(work));
});

test("fingerprint() differs by kind, words and folder", () => {
  const prints = [
    fingerprint(work),
    fingerprint({ ...work, kind: "local_bash" }),
    fingerprint({ ...work, text: "Count the file s" }),
    fingerprint({ ...work, cwd: "/project2" }),
  ];
  expect(new Set(prints).size).toBe(4);
  expect(prints.every((print) => /^[0-9a-f]{16}$/.test(print))).toBe(true);
});

test("fingerprint() tells different words apart", () => {
  const words = fc.uniqueArray(fc.string({ unit: "grapheme" }), {
    minLength: 2,
    maxLength: 2,
    selector: (text) => text.replace(/\s+/g, " ").trim(),
  });
  fc.assert(
    fc.property(words, ([one = "", two = ""]) => {
      expect(fingerprint({ ...work, text: one })).not.toBe(fingerprint({ ...work, text: two }));
    }),
  );
});
