import { describe, expect, test } from "vitest";
import { wrapSaid } from "./wrap-said.ts";

describe("wrapSaid()", () => {
  test("breaks between words", () => {
    expect(wrapSaid("one message is not in the cost", 12)).toBe("one message\nis not in\nthe cost");
    expect(wrapSaid("first\nsecond line", 8)).toBe("first\nsecond\nline");
    expect(wrapSaid("short", 80)).toBe("short");
  });

  test("keeps a command in one piece where it fits", () => {
    expect(wrapSaid("Read up to one: holdfast show 1b3e --leaf 6f0c", 40)).toBe(
      "Read up to one:\nholdfast show 1b3e --leaf 6f0c",
    );
    expect(wrapSaid("Run `holdfast ps -a` to see every task there is.", 24)).toBe(
      "Run `holdfast ps -a` to\nsee every task there is.",
    );
    expect(wrapSaid("holdfast show 1b3e --leaf", 10).replaceAll("\n", "")).toBe("holdfast show 1b3e --leaf");
  });
});
