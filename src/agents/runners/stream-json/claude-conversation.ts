import { isJsonObject } from "../../../format/json-object.ts";
import type { PermissionAnswer, RunnerRequest } from "../../../tasks/ports.ts";
import type { AgentProcess } from "../agent-process.ts";
import { modelWords, questionTitle } from "../question-title.ts";
import { promptTexts } from "../retell-conversation.ts";
import { readClaudeLine } from "./claude-lines.ts";
import { unfenced } from "../require-fence.ts";
import type { ConversationStarter, LineEvent } from "./conversation.ts";
import { textAt } from "../json-fields.ts";

/** The mode in which it asks. */
const ASKING = "default";

const printMode =
  "-p --verbose --input-format stream-json --output-format stream-json --include-partial-messages --permission-prompt-tool stdio".split(
    " ",
  );

/**
 * `claude -p` with both streams as JSON: the prompt goes in as a line, permissions are asked and answered on the same
 * streams, and its input stays open until it has told its result.
 */
export const claudeConversation: ConversationStarter = (request, signal) => {
  const { foreignSessionId, model, systemPrompt, tools, messages, prompt } = request;
  const permissions = askingPermission(request, signal);
  const args = [
    ...printMode,
    ...option("--permission-mode", ASKING),
    ...option("--resume", foreignSessionId),
    ...option("--model", model),
    ...option("--append-system-prompt", systemPrompt),
    ...option("--tools", tools?.join(",")),
  ];
  const forgotten = foreignSessionId === undefined ? messages : [];
  return {
    args,
    begin(agent) {
      const content = promptTexts({ messages: forgotten, prompt }).map((text) => ({ type: "text", text }));
      say(agent, { type: "user", message: { role: "user", content }, parent_tool_use_id: null });
    },
    hear(line, agent): LineEvent[] {
      if (line["type"] === "control_request") permissions.ask(line, agent);
      if (line["type"] === "control_cancel_request") permissions.withdraw(line);
      if (isUnfenced(line) && request.permission !== "allow")
        return [{ kind: "refused", error: unfenced("claude", "it is not in the mode in which it asks") }];
      // It now waits for what comes next, which is a run of its own.
      if (line["type"] === "result") agent.stdin.end();
      return readClaudeLine(line);
    },
    interrupt(agent) {
      say(agent, {
        type: "control_request",
        request_id: "interrupt",
        request: { subtype: "interrupt" },
      });
    },
    finish: () => [],
  };
};

// Its own settings may choose another mode, or forbid to choose.
function isUnfenced(line: Record<string, unknown>): boolean {
  if (line["type"] !== "system" || line["subtype"] !== "init") return false;
  return (line["permissionMode"] ?? ASKING) !== ASKING;
}

interface Permissions {
  /** Answers when somebody has decided; the agent goes on telling meanwhile. */
  ask(line: Record<string, unknown>, agent: AgentProcess): void;
  withdraw(line: Record<string, unknown>): void;
}

function askingPermission(request: RunnerRequest, signal: AbortSignal): Permissions {
  const open = new Map<string, AbortController>();
  return {
    ask(line, agent) {
      const id = textAt(line, "request_id");
      const question = line["request"];
      if (id === undefined || !isJsonObject(question)) return;
      const reply = (response: object): void =>
        say(agent, { type: "control_response", response: { request_id: id, ...response } });
      if (question["subtype"] !== "can_use_tool") {
        return reply({ subtype: "error", error: `Holdfast does not know ${String(question["subtype"])}` });
      }
      void decide(id, question).then(
        (response) => reply({ subtype: "success", response }),
        (error: unknown) => reply({ subtype: "error", error: String(error) }),
      );
    },
    withdraw: (line) => open.get(textAt(line, "request_id") ?? "")?.abort(),
  };

  async function decide(id: string, question: Record<string, unknown>): Promise<object> {
    const withdrawn = new AbortController();
    open.set(id, withdrawn);
    const tool = textAt(question, "tool_name") ?? "Tool";
    const input = isJsonObject(question["input"]) ? question["input"] : {};
    const toolUseId = textAt(question, "tool_use_id") ?? id;
    const title = questionTitle(tool, input);
    const said = modelWords(textAt(question, "title") ?? textAt(question, "description"), title);
    const until = AbortSignal.any([signal, withdrawn.signal]);
    try {
      const answer = await request.askPermission({ toolUseId, tool, input, title, ...said }, until);
      return permissionResult(answer, input);
    } finally {
      open.delete(id);
    }
  }
}

// "Always" stays here: what the client suggests for it allows more than what was asked about.
function permissionResult(answer: PermissionAnswer, input: object): object {
  return answer.behavior === "deny" ? answer : { behavior: "allow", updatedInput: input };
}

function say(agent: AgentProcess, line: object): void {
  if (!agent.stdin.writableEnded) agent.stdin.write(`${JSON.stringify(line)}\n`);
}

function option(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [name, value];
}
