import path from "node:path";
import type { BenchContext } from "../support/measure.ts";
import { fetchPeer, type Peer } from "../support/peers.ts";

/** The vendor's own reader of the same files. */
export function fetchAgentSdk({ cacheDir }: BenchContext): { peer: Peer; sdkFile: string } {
  const peer = fetchPeer({ name: "@anthropic-ai/claude-agent-sdk", version: "0.3.325", cacheDir });
  return { peer, sdkFile: path.join(peer.dir, "sdk.mjs") };
}
