import { describe, expect, test } from "vitest";
import { checkRemote, encodeRun, parseRun, type RunRequest } from "./run-request.ts";

const commit = "a".repeat(40);
const bundle = {
  work: commit,
  base: commit,
  hasHistory: true,
  subdir: "",
  object: `s/${"0".repeat(64)}`,
  bytes: 1,
};

function request(values: object = {}): RunRequest {
  return {
    schemaVersion: 1,
    sessionId: "0a4d1152-845e-4b93-8c30-d1aa291bf4a1",
    run: 1,
    queue: "default",
    prompt: "Do it",
    description: "does it",
    agent: { runner: { name: "anthropic" }, permission: "ask", limits: {} },
    workspace: { kind: "bundle", ...bundle },
    origin: { host: "h", user: "u", cwd: "/" },
    dispatchedAt: "2026-01-01T00:00:00.000Z",
    ...values,
  };
}

describe("parseRun()", () => {
  test("gives back what was encoded", () => {
    expect(parseRun(encodeRun(request()))).toEqual(request());
  });

  test.each([
    ["another version", { schemaVersion: 2 }],
    ["a session with a wildcard", { sessionId: "*" }],
    ["a session with a separator", { sessionId: "a.b" }],
    ["a session that is a path", { sessionId: "../x" }],
    ["no session", { sessionId: undefined }],
    ["a run that is no number", { run: "1" }],
    ["a queue with a wildcard", { queue: ">" }],
    ["no runner", { agent: {} }],
    ["an unknown workspace", { workspace: { kind: "tar" } }],
    ["a commit that is an option", { workspace: { kind: "bundle", ...bundle, work: "--upload-pack=x" } }],
    ["a folder outside", { workspace: { kind: "bundle", ...bundle, subdir: "../../.." } }],
    ["an absolute folder", { workspace: { kind: "bundle", ...bundle, subdir: "/etc" } }],
    ["an object that is none of ours", { workspace: { kind: "bundle", ...bundle, object: "x" } }],
    ["a remote that is a command", { workspace: { kind: "clone", remote: "ext::sh -c id" } }],
    ["a remote that is an option", { workspace: { kind: "clone", remote: "--upload-pack=id" } }],
    ["a local remote", { workspace: { kind: "clone", remote: "/etc" } }],
  ])("refuses %s", (_, values) => {
    expect(parseRun(encodeRun(request(values)))).toBeUndefined();
  });

  test("refuses what is no JSON", () => {
    expect(parseRun(Buffer.from("{"))).toBeUndefined();
  });
});

test.each(["https://host.example/r.git", "ssh://git@host.example/r", "git@host.example:r.git"])(
  "checkRemote() takes %s",
  (remote) => {
    expect(() => checkRemote(remote)).not.toThrow();
  },
);
