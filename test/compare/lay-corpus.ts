import fs from "node:fs";
import path from "node:path";

/** Makes a config folder of the real transcripts, byte for byte, sub-agents in the folders of their sessions. */
export function layCorpus(corpus: string, configDir: string): void {
  const names = fs.readdirSync(corpus, { recursive: true, encoding: "utf8" });
  for (const name of names.filter((each) => each.endsWith(".jsonl"))) {
    const parts = name.split(path.sep);
    // SESSION/subagents/agent-ID.jsonl belongs together; what stands before it is the project.
    const subagents = parts.indexOf("subagents");
    const kept = parts.splice(subagents > 0 ? subagents - 1 : -1);
    const file = path.join(configDir, "projects", `-${parts.join("-")}`, ...kept);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.copyFileSync(path.join(corpus, name), file);
  }
}
