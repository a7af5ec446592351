import { isJsonObject } from "../../../format/json-object.ts";
import { parseJson } from "../../../lib/read-json.ts";
import type { Command } from "../command.ts";
import { statusInputBytesMax } from "../limits.ts";
import { realDir } from "../real-dir.ts";

export const command: Command = {
  examples: [
    { line: "holdfast statusline", text: "background work of this project in one line" },
    { line: "holdfast statusline < status.json", text: "of the session in the client's JSON" },
    { line: "holdfast statusline --json", text: "the numbers" },
  ],
  async run({ environment, output, isJson, writeJson, runtime }) {
    const { cwd, sessionId } = asked(await readPipedInput(), environment.cwd);
    const query = { cwd: realDir(cwd), sessionId, onlyRecorded: true };
    const { running, finishedUnseen, lost } = await (await runtime()).recover(query);
    const counts = { running: running.length, finishedUnseen: finishedUnseen.length, lost: lost.length };
    if (isJson) return writeJson(counts);
    const parts = [
      counts.running > 0 ? `${counts.running} running` : "",
      counts.finishedUnseen > 0 ? `${counts.finishedUnseen} finished unseen` : "",
      counts.lost > 0 ? `${counts.lost} lost` : "",
    ].filter((part) => part !== "");
    await output.write(parts.length === 0 ? "\n" : `⚓ ${parts.join(" · ")}\n`);
  },
};

/** The client tells a status line whose it is; a person at a terminal means the folder he is in. */
function asked(input: string, here: string): { cwd: string; sessionId?: string } {
  const value = parseJson(input);
  if (!isJsonObject(value)) return { cwd: here };
  const { session_id: sessionId, workspace, cwd } = value;
  const projectDir = isJsonObject(workspace) ? workspace["project_dir"] : undefined;
  const dir = typeof projectDir === "string" ? projectDir : cwd;
  return {
    cwd: typeof dir === "string" ? dir : here,
    ...(typeof sessionId === "string" && { sessionId }),
  };
}

/** What is piped in, up to a limit; empty at a terminal. */
async function readPipedInput(): Promise<string> {
  const { stdin } = process;
  if (stdin.isTTY) return "";
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > statusInputBytesMax) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
