import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isUuid, newTaskId, parseTaskId, type NewTaskIdKind } from "./ids.ts";
import { idLengthMax, taskIdAttemptsMax } from "./limits.ts";
import { isSafeName } from "./paths.ts";

describe("parseTaskId()", () => {
  test.each([
    ["bash_1", "bash"],
    ["bash_12", "bash"],
    ["a1b2c3", "bash"],
    ["be613ab", "bash"],
    ["b9v4l14m8", "bash"],
    ["bdyaely9p0", "bash"],
    ["b1234567", "agent"],
    ["a1234567", "agent"],
    ["a723af0", "agent"],
    ["a723af062a86bba51", "agent"],
    ["a723af06z", "agent"],
    ["s0123456z", "main-session"],
    ["rzzzzzzzz", "remote"],
    ["qa-lead@checkout", "teammate"],
    ["acompact-a1b2c3", "internal"],
    ["aprompt_suggestion-a1b2c3", "internal"],
  ] as const)("reads %s as %s", (id, kind) => {
    expect(parseTaskId(id)).toEqual({ id, kind });
  });

  test.each([
    "",
    "b",
    "bash_",
    "B9V4L14M8",
    "c12345678",
    "b123456z",
    "../b12345678",
    "b1234/5678",
    "a@b@c",
    "@team",
    "name@",
    "na me@team",
    "acompact-xyz",
    "x/y@team",
    "<x>@team",
    "b12345678\n",
    `b${"0".repeat(idLengthMax)}`,
  ])("refuses %j", (id) => {
    expect(parseTaskId(id)).toBeUndefined();
  });

  test("accepts nothing that is not a safe file name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 300 }), (text) => {
        expect(parseTaskId(text) === undefined || isSafeName(text)).toBe(true);
      }),
    );
  });
});

describe("newTaskId()", () => {
  const kinds: NewTaskIdKind[] = ["bash", "agent", "main-session", "remote"];
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 64 });

  test("makes an id that parses back to its kind, whatever the bytes", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), fc.infiniteStream(bytes), (kind, chunks) => {
        const id = newTaskId(
          kind,
          () => chunks.next().value,
          () => false,
        );
        expect(id).toMatch(/^(?:[brs][0-9a-z]{8}|a[0-9a-f]{16})$/);
        expect(parseTaskId(id)?.kind).toBe(kind);
      }),
    );
  });

  test("draws every digit from the same number of byte values", () => {
    const counts = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      let calls = 0;
      // The byte under test once, then only the digit "0": its place shows what the byte became.
      const random = (): Uint8Array => ((calls += 1) === 1 ? Uint8Array.of(byte) : new Uint8Array(8));
      const id = newTaskId("bash", random, () => false);
      const digit = calls === 2 && byte < 252 ? id.charAt(1) : "rejected";
      counts.set(digit, (counts.get(digit) ?? 0) + 1);
    }
    expect(counts.get("rejected")).toBe(4);
    counts.delete("rejected");
    expect([...counts.values()]).toEqual(Array.from({ length: 36 }, () => 7));
  });

  test("skips ids that are taken", () => {
    let draws = 0;
    const random = (byteCount: number): Uint8Array => new Uint8Array(byteCount).fill(draws++);
    expect(newTaskId("remote", random, (id) => id !== "r33333333")).toBe("r33333333");
    draws = 0;
    expect(newTaskId("agent", random, (id) => id !== "a3333333333333333")).toBe("a3333333333333333");
  });

  test("throws when every id is taken", () => {
    expect(() =>
      newTaskId(
        "bash",
        (byteCount) => new Uint8Array(byteCount),
        () => true,
      ),
    ).toThrow(`Cannot make a bash task id: ${taskIdAttemptsMax} random ids in a row are taken`);
  });

  test("throws when the source gives no usable byte", () => {
    expect(() =>
      newTaskId(
        "bash",
        (byteCount) => new Uint8Array(byteCount).fill(255),
        () => false,
      ),
    ).toThrow("Cannot make a task id");
  });
});

describe("isUuid()", () => {
  test.each([
    ["f6b7329a-914c-4f62-8090-4e29b032b173", true],
    ["01976f3c-8c4e-7b1a-9d2e-4e29b032b173", true],
    ["F6B7329A-914C-4F62-8090-4E29B032B173", true],
    ["tool_heavy", false],
    ["f6b7329a914c4f6280904e29b032b173", false],
    ["f6b7329a-914c-4f62-8090-4e29b032b173\n", false],
    ["", false],
  ])("answers for %j: %j", (text, expected) => {
    expect(isUuid(text)).toBe(expected);
  });
});
