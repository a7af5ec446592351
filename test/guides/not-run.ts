/** Lines that are parsed but not run: the reason, what runs them instead, and the lines it applies to. */
export const notRun: readonly { because: string; lines: readonly RegExp[] }[] = [
  {
    because: "needs a terminal; test/e2e/chat*.test.ts, tasks-send.test.ts and agents.test.ts have one",
    lines: [/^holdfast chat\b/, /^holdfast attach /, /^holdfast approve \S+( --always)?$/, /^holdfast deny /],
  },
  {
    because: "needs a server of the fleet; test/e2e/fleet.test.ts has one",
    lines: [/^holdfast fleet /, /^holdfast agent --remote /, /^holdfast teleport /],
  },
  {
    because: "needs a published client; npm run test:interop has them",
    lines: [/^claude /, /^codex /, /^holdfast agent --agent (claude|codex|gemini|opencode) /],
  },
  {
    because: "serves until it is ended, or needs one that serves; test/e2e/dashboard.test.ts has both",
    lines: [/^holdfast (up|open)\b/],
  },
  {
    because: "is the tour; test/e2e/demo.test.ts runs it",
    lines: [/^npm run demo\b/],
  },
  {
    because: "installs the package; npm run test:start does",
    lines: [/^npm (ci|install) /],
  },
  {
    because: "needs zstd or jq, which a machine may not have",
    lines: [/^zstd /, /^jq /],
  },
];

export function isRun(line: string): boolean {
  return !notRun.some(({ lines }) => lines.some((pattern) => pattern.test(line)));
}
