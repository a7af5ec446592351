import { expect, test } from "vitest";
import { logAddress, sessionOfAddress } from "./remote-settings.ts";

test("logAddress() names a session, and is no page that a browser would look for", () => {
  expect(logAddress("5c03-1")).toBe("holdfast:fleet/5c03-1");
});

test.each([
  [logAddress("5c03-1"), "5c03-1"],
  ["http://localhost:4517/fleet/5c03-1", "5c03-1"],
  ["https://where.example/below/fleet/5c03-1/", "5c03-1"],
  ["5c03-1", undefined],
  ["holdfast-build", undefined],
  ["http://", undefined],
])("sessionOfAddress() finds the session of %s", (text, session) => {
  expect(sessionOfAddress(text)).toBe(session);
});
