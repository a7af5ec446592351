import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { acpRunner, streamJsonRunner } from "../../src/agents/runners/index.ts";
import type { Runner, RunnerEvent } from "../../src/tasks/ports.ts";
import { play, runnerRequest, type Played } from "../support/runner-request.ts";
import type { Check, CheckHome } from "./checks.ts";
import { environmentOf } from "./resume-with-client.ts";
import { startScriptedModel, type ModelStep, type ScriptedModel } from "./scripted-model.ts";

// Where scripts/interop.mjs has put the agents that are fetched.
const packages = path.join(process.env["HOLDFAST_INTEROP_AGENTS"] ?? "", "node_modules");
const LONGEST_MS = 240_000;

/** Holdfast's runners with the real programs behind them, against a model on loopback. */
export const agentChecks: Check[] = [
  {
    name: "agents: claude asks before it runs a tool, tells all of it, and goes on with its session",
    run: (home) => withModel("Bash", (model) => workAndGoOn(home, model, claude(home, model))),
  },
  {
    name: "agents: claude is told the conversation when its session is gone",
    run: (home) =>
      withModel("Bash", async (model) => {
        const { events, end } = await ask(home, claude(home, model), {
          foreignSessionId: randomUUID(),
          messages: [
            { role: "user", content: "Remember the colour blue" },
            { role: "assistant", content: [{ type: "text", text: "I do." }] },
            { role: "user", content: "Go on" },
          ],
        });
        return [
          ...expected(end?.reason === "done", "it did not come to an end"),
          ...expected(events[0]?.kind === "activity", "nothing tells that the session was gone"),
          ...expected(model.main[0]?.text.includes("the colour blue"), "it was not told the conversation"),
        ];
      }),
  },
  {
    name: "agents: claude stops when it is aborted in the middle of an answer",
    async run(home) {
      const controller = new AbortController();
      const stuck: ModelStep = { after: new Promise(() => {}), content: ["Never said"] };
      await using model = await startScriptedModel({ main: [stuck] });
      const { error } = await ask(home, claude(home, model), {
        signal: controller.signal,
        onEvent: (event) => event.kind === "session" && controller.abort(new Error("enough")),
      });
      return expected((error as Error | undefined)?.message === "enough", `it ended with ${String(error)}`);
    },
  },
  {
    name: "agents: the adapter of claude asks, tells all of it, and goes on with its session",
    run: (home) =>
      withModel("Bash", (model) => {
        const program = path.join(packages, "@agentclientprotocol/claude-agent-acp/dist/index.js");
        const env = { ...environmentOf(home, model.url), CLAUDE_CODE_EXECUTABLE: home.client };
        return workAndGoOn(home, model, acpRunner({ command: process.execPath, args: [program], env }));
      }),
  },
  {
    name: "agents: opencode acp asks, tells all of it, and goes on with its session",
    run: (home) => withModel("bash", (model) => workAndGoOn(home, model, opencode(home, model))),
  },
  {
    name: "agents: gemini --acp says that it wants a login, and opens a session with a key",
    async run(home) {
      const { error } = await ask(home, gemini(home, {}));
      const code = (error as { code?: string } | undefined)?.code;
      const controller = new AbortController();
      const { events } = await ask(home, gemini(home, { GEMINI_API_KEY: "not-a-key" }), {
        signal: controller.signal,
        onEvent: (event) => event.kind === "session" && controller.abort(new Error("enough")),
      });
      return [
        ...expected(code === "agent_login", `without a login it ended with ${String(error)}`),
        ...expected(events[0]?.kind === "session", "with a key it opened no session"),
      ];
    },
  },
];

/** One run that uses a tool, and one that goes on with its session. */
async function workAndGoOn(home: CheckHome, model: ScriptedModel, runner: Runner): Promise<string[]> {
  const first = await ask(home, runner);
  const session = first.events.find((event) => event.kind === "session");
  const used = blocks(first.events, "tool_use");
  const results = blocks(first.events, "tool_result");
  const problems = [
    ...expected(first.end?.reason === "done", `it ended with ${String(first.error)}`),
    ...expected(first.asked.length === 1, `it asked ${first.asked.length} times`),
    ...expected(used.length === 1 && results.length === 1, "its tool use and result are not told once each"),
    ...expected(used[0]?.["name"] === "Bash", `its tool is called ${String(used[0]?.["name"])}`),
    ...expected(used[0]?.["id"] === results[0]?.["tool_use_id"], "use and result do not belong together"),
    ...expected(used[0]?.["id"] === first.asked[0]?.toolUseId, "it was asked about another tool use"),
    ...expected(fs.existsSync(path.join(home.cwd, "made")), "its tool did not run"),
    ...expected(texts(first.events).at(-1) === "All done.", `it said ${JSON.stringify(texts(first.events))}`),
    ...expected(
      first.events.some((event) => inputTokens(event) > 0),
      "it told no usage",
    ),
  ];
  if (!session) return [...problems, "it told no session"];
  const { foreignSessionId } = session;
  const second = await ask(home, runner, { foreignSessionId, prompt: "And now?" });
  const asked = model.main.find(({ text }) => text.includes("And now?"))?.text ?? "";
  return [
    ...problems,
    ...expected(second.end?.reason === "done", `the second run ended with ${String(second.error)}`),
    ...expected(asked.includes("All done."), "the second run does not know what was said in the first"),
    ...expected(!asked.includes("was interrupted"), "the second run was told the conversation in words"),
    ...expected(!texts(second.events).includes("All done."), "the second run told the first once more"),
  ];
}

async function withModel(
  tool: string,
  check: (model: ScriptedModel) => Promise<string[]>,
): Promise<string[]> {
  const use = { tool, input: { command: "touch made", description: "make it" } };
  await using model = await startScriptedModel({ main: [["I make it.", use], ["All done."]] });
  return await check(model);
}

interface AskOptions extends Partial<Parameters<typeof runnerRequest>[0]> {
  signal?: AbortSignal;
  onEvent?: (event: RunnerEvent) => unknown;
}

async function ask(
  home: CheckHome,
  runner: Runner,
  { signal, onEvent, ...given }: AskOptions = {},
): Promise<Played & { asked: ReturnType<typeof runnerRequest>["asked"] }> {
  const { request, asked } = runnerRequest({ cwd: home.cwd, prompt: "Please make it", ...given });
  const tooLong = AbortSignal.timeout(LONGEST_MS);
  const played = await play(runner, request, {
    signal: signal ? AbortSignal.any([signal, tooLong]) : tooLong,
    onEvent: (event) => void onEvent?.(event),
  });
  return { ...played, asked };
}

function claude(home: CheckHome, model: ScriptedModel): Runner {
  return streamJsonRunner({
    command: home.client,
    dialect: "claude",
    env: environmentOf(home, model.url),
  });
}

function opencode(home: CheckHome, model: ScriptedModel): Runner {
  const provider = {
    npm: "@ai-sdk/anthropic",
    name: "Loopback",
    options: { baseURL: `${model.url}/v1`, apiKey: "not-a-key" },
    models: { scripted: { name: "Scripted" } },
  };
  const config = {
    model: "loopback/scripted",
    small_model: "loopback/scripted",
    autoupdate: false,
    share: "disabled",
    permission: { bash: "ask" },
    provider: { loopback: provider },
  };
  return acpRunner({
    command: path.join(packages, `opencode-${process.platform}-${process.arch}/bin/opencode`),
    args: ["acp"],
    env: {
      HOME: home.userHome,
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_MODELS_FETCH: "1",
    },
  });
}

function gemini(home: CheckHome, key: Record<string, string>): Runner {
  const program = path.join(packages, "@google/gemini-cli/bundle/gemini.js");
  return acpRunner({
    command: process.execPath,
    args: [program, "--acp"],
    env: { HOME: home.userHome, ...key },
  });
}

function expected(isSo: boolean | undefined, otherwise: string): string[] {
  return isSo ? [] : [otherwise];
}

function inputTokens(event: RunnerEvent): number {
  if (event.kind === "usage") return event.usage?.input_tokens ?? 0;
  return event.kind === "assistant" ? event.message.usage.input_tokens : 0;
}

function texts(events: RunnerEvent[]): string[] {
  return blocks(events, "text").map((block) => String(block["text"]));
}

function blocks(events: RunnerEvent[], type: string): Record<string, unknown>[] {
  return events.flatMap((event) => {
    if (event.kind !== "assistant" && event.kind !== "user") return [];
    const { content } = event.message;
    return typeof content === "string" ? [] : content.filter((part) => part.type === type);
  });
}
