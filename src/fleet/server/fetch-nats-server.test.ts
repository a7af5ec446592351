import { expect, test } from "vitest";
import { parsePackage } from "./fetch-nats-server.ts";

const sum = "0".repeat(64);
const list = (file: string): string =>
  `Package: nats-cli\nFilename: pool/a\nSHA256: ${"1".repeat(64)}\n\nPackage: nats-server\nVersion: 2.15.1-1\nFilename: ${file}\nSHA256: ${sum}\n\nPackage: other\n`;

test("parsePackage() finds ours among the others", () => {
  const file = "pool/main/n/nats-server/nats-server_2.15.1-1_amd64.deb";
  expect(parsePackage(list(file))).toEqual({ file, sha256: sum });
});

test.each([list("../../etc/passwd"), list("pool/x y"), "Package: other\n\n", ""])(
  "parsePackage() refuses a list without a file that it can name",
  (text) => {
    expect(() => parsePackage(text)).toThrow("names no nats-server");
  },
);
