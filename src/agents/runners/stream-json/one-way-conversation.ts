import type { RunnerRequest } from "../../../tasks/ports.ts";
import { promptTexts } from "../retell-conversation.ts";
import { codexLines } from "./codex-lines.ts";
import type { ConversationStarter, LineConversation, LineReader } from "./conversation.ts";
import { mappedLines, type LineMapping } from "./mapped-lines.ts";

export interface MappedCommand {
  mapping: LineMapping;
  /** Added to the arguments to go on with an earlier run; `{session}` stands for its id. */
  resumeArgs?: readonly string[];
}

/** A command that reads its prompt and prints what it does. It goes on only if it can be told which session. */
export function mappedConversation({ mapping, resumeArgs }: MappedCommand): ConversationStarter {
  return (request) => {
    const session = resumeArgs === undefined ? undefined : request.foreignSessionId;
    const args = session === undefined ? [] : resumeArgs!.map((arg) => arg.replaceAll("{session}", session));
    const reader = mappedLines(request.model ?? "command", mapping);
    return oneWay(reader, { args, request, isResumed: session !== undefined });
  };
}

/**
 * `codex exec --json`. It cannot ask in the middle of its work, so whether it may change files and run commands is
 * asked once, before; without permission it gets its sandbox that only reads.
 */
export const codexConversation: ConversationStarter = async (request, signal) => {
  const { foreignSessionId: session, model, cwd } = request;
  const mayChange = await mayChangeFiles(request, signal);
  const sandbox = mayChange ? "workspace-write" : "read-only";
  const start = ["exec", "--json", "--skip-git-repo-check", "--cd", cwd, "--sandbox", sandbox];
  const args = [
    ...start,
    ...(model === undefined ? [] : ["--model", model]),
    ...(session === undefined ? [] : ["resume", session]),
    "-",
  ];
  const reader = codexLines({ env: request.env, session, ...(model !== undefined && { model }) });
  return oneWay(reader, { args, request, isResumed: session !== undefined });
};

async function mayChangeFiles(request: RunnerRequest, signal: AbortSignal): Promise<boolean> {
  const { tools, cwd } = request;
  if (tools && !tools.some((tool) => ["Bash", "Edit", "Write"].includes(tool))) return false;
  const title = `Let Codex change files and run commands in ${cwd}`;
  const question = { toolUseId: "codex-sandbox", tool: "Codex", input: { cwd }, title };
  return (await request.askPermission(question, signal)).behavior === "allow";
}

// One that goes on with its session remembers what was said.
function oneWay(
  reader: LineReader,
  { args, request, isResumed }: { args: readonly string[]; request: RunnerRequest; isResumed: boolean },
): LineConversation {
  const prompt = isResumed ? request.prompt : promptTexts(request).join("\n\n");
  return {
    args,
    begin: (agent) => void agent.stdin.end(prompt),
    hear: (line, agent) => reader.hear(line, agent),
    finish: () => reader.finish(),
  };
}
