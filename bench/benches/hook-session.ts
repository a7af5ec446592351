import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { inFreshFolder } from "../support/fresh-folder.ts";
import { installedCommand } from "../support/installed-command.ts";
import type { BenchContext, Measure, Side } from "../support/measure.ts";
import { programSide } from "../support/run-program.ts";

/** The whole of it: what a person waits for who works with the client and our hooks. */
export const hookSession: Measure = {
  title: () =>
    `a session of 30 tool calls that launch nothing, with the hooks, by ${findClient() === "" ? "a stand-in for the client" : "the real client"}`,
  against: "the same without hooks",
  pairs: { full: 5, quick: 1 },
  figures: [
    {
      label: "from first to last",
      read: ({ figures }) => figures?.["sessionMs"],
      goal: { kind: "cost", atMost: 1.4 },
    },
  ],
  open: async (context) => ({
    peer: session(context, []),
    candidate: session(context, installedCommand(context)),
  }),
};

function session(context: BenchContext, command: string[]): Side {
  const client = findClient();
  return inFreshFolder(context, (folder) =>
    programSide("tool-calls.mjs", {
      args: [folder, client, ...command],
      ...(client !== "" && { under: OFFLINE }),
    }),
  );
}

// As in scripts/interop.mjs: loopback and nothing else.
const OFFLINE = ["unshare", "--net", "--", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"];

/** Where `npm run test:interop` has put it; empty where it is not, or cannot be run offline. */
function findClient(): string {
  const cache = path.join(import.meta.dirname, "..", "..", ".cache", "interop");
  const folders = fs.existsSync(cache)
    ? fs.readdirSync(cache).filter((name) => name.startsWith("client-"))
    : [];
  const scopes = folders.map((name) => path.join(cache, name, "node_modules", "@anthropic-ai"));
  const programs = scopes
    .flatMap((scope) =>
      fs.existsSync(scope) ? fs.readdirSync(scope).map((name) => path.join(scope, name, "claude")) : [],
    )
    .filter((file) => fs.existsSync(file));
  const isOffline = programs.length > 0 && spawnSync(OFFLINE[0]!, [...OFFLINE.slice(1), "true"]).status === 0;
  return isOffline ? programs[0]! : "";
}
