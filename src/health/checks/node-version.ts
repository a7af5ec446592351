import type { HealthCheck } from "../health-check.ts";

const NEEDED = [22, 18] as const;

/** The Node that runs this: older ones have neither SQLite nor zstd. */
export const nodeVersion: HealthCheck = {
  name: "node",
  group: "environment",
  run() {
    const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
    const isEnough = major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
    if (isEnough) return { status: "ok", summary: `Node ${process.versions.node}` };
    return {
      status: "fail",
      summary: `Node ${process.versions.node} is older than ${NEEDED.join(".")}`,
      suggestion: { program: "npm", args: ["install", "-g", `node@${NEEDED[0]}`] },
    };
  },
};
