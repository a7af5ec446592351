import fs from "node:fs";
import path from "node:path";
import { openSessionStore, type SessionRef, type SessionStore } from "../../src/store/index.ts";
import { sampleSession } from "../support/sample-session.ts";
import { TranscriptBuilder } from "../support/transcript-builder.ts";
import { ANSWER, resumeWithClient, type ClientHome, type Resumed } from "./resume-with-client.ts";
import { spokenBefore, spokenIn } from "./spoken.ts";

/** A home that only one check uses, and the store on it. */
export interface CheckHome extends ClientHome {
  cwd: string;
  otherCwd: string;
  store: SessionStore;
}

export interface Check {
  name: string;
  /** What is wrong, in words; empty when all is well. */
  run: (home: CheckHome) => Promise<string[]>;
}

export function checkHome(dir: string, client: string): CheckHome {
  const at = (name: string): string => {
    fs.mkdirSync(path.join(dir, name));
    return path.join(dir, name);
  };
  const configDir = at("config");
  const store = openSessionStore({ configDir, home: path.join(dir, "state") });
  return {
    client,
    configDir,
    userHome: at("user"),
    cwd: at("project"),
    otherCwd: at("renamed-project"),
    store,
  };
}

const PROMPT = "What comes next?";

export const checks: Check[] = [
  {
    name: "split messages, parallel tools and an agent are read by Holdfast as by the client",
    async run(home) {
      const session = new TranscriptBuilder({ cwd: home.cwd });
      session.prompt("Look at three files");
      session.reply("I read them at once.", { type: "text", text: "All three." });
      session.callTools(
        ...["a", "b", "c"].map((name) => ({
          name: "Read",
          input: { file_path: name },
          result: `text of ${name}`,
        })),
      );
      session.runAgent("Find the callers", (agent) => agent.reply("There are none."));
      session.reply("Nobody calls them.");
      return wrongWith(home, await found(home, session));
    },
  },
  {
    name: "a compaction that preserved messages is read by Holdfast as by the client",
    run: async (home) => wrongWith(home, await found(home, sampleSession({ cwd: home.cwd, rounds: 2 }))),
  },
  {
    name: "a session written by Holdfast is resumed with the whole conversation",
    async run(home) {
      const { session } = await writeSession(home);
      return wrongWith(home, session);
    },
  },
  {
    name: "a fork made by Holdfast is resumed with the forked part alone",
    async run(home) {
      const { session, uuids } = await writeSession(home);
      const fork = await home.store.fork(session, { at: uuids[4]! });
      const said = spokenIn(await messagesOf(home.store, fork.session));
      const problems = said.some((text) => text.includes("parser.ts"))
        ? ["the fork holds more than was asked for"]
        : [];
      return [...problems, ...(await wrongWith(home, fork.session)), ...(await wrongWith(home, session))];
    },
  },
  {
    name: "a session moved to another project is that project's newest, and no longer the old one's",
    async run(home) {
      const { session } = await writeSession(home);
      const moved = await home.store.move(session, home.otherCwd);
      // By id the client finds a session in any project; only --continue asks where it is at home.
      const problems = await wrongWith({ ...home, cwd: home.otherCwd }, moved, { byId: false });
      const here = await resume(home, undefined);
      if (here.sessionId === session.sessionId) problems.push("the old project still has it");
      return problems;
    },
  },
  {
    name: "a session renamed and tagged by Holdfast is resumed, and keeps its title",
    async run(home) {
      const { session } = await writeSession(home);
      await home.store.rename(session, "Another title");
      await home.store.tag(session, "important");
      const problems = await wrongWith(home, session);
      const { title, tag } = await home.store.summary(session);
      if (title !== "Another title") problems.push(`its title is now ${title}`);
      if (tag !== "important") problems.push(`its tag is now ${tag}`);
      return problems;
    },
  },
  {
    name: "a session brought back from the trash is resumed",
    async run(home) {
      const { session } = await writeSession(home);
      await home.store.trash(session);
      return wrongWith(home, await home.store.restore(session.sessionId));
    },
  },
  {
    name: "a session made of chat messages, of either shape, is resumed with the whole conversation",
    async run(home) {
      const { session } = await writeSession(home);
      const { store, cwd } = home;
      const made = [
        await store.fromAnthropicMessages(await store.toAnthropicMessages(session), { cwd }),
        await store.fromModelMessages(await store.toModelMessages(session), { cwd, title: "Again" }),
      ];
      const problems: string[] = [];
      for (const each of made) {
        if (spokenIn(await messagesOf(store, each)).length < 4) problems.push("it says too little");
        problems.push(...(await wrongWith(home, each)));
      }
      return problems;
    },
  },
  {
    name: "a session that the client has open is refused to a writer, and free afterwards",
    async run(home) {
      const { session } = await writeSession(home);
      const refusals: unknown[] = [];
      const open = async (): Promise<void> => {
        await using _writer = await home.store.openWriter({ cwd: home.cwd, sessionId: session.sessionId });
      };
      await resume(home, session.sessionId, () =>
        open().catch((error: { code?: string }) => void refusals.push(error.code)),
      );
      await open();
      return refusals[0] === "session_in_use"
        ? []
        : [`while it was open the writer got ${String(refusals[0])}`];
    },
  },
];

async function found({ store, configDir }: CheckHome, session: TranscriptBuilder): Promise<SessionRef> {
  session.write(configDir);
  return store.find(session.sessionId);
}

/** A small session through the store's writer: prompt, split answer with two tools, results, prompt, answer, title. */
async function writeSession({ store, cwd }: CheckHome): Promise<{ session: SessionRef; uuids: string[] }> {
  await using writer = await store.openWriter({ cwd, durability: "sync", gitBranch: "main" });
  const uuids: string[] = [];
  const user = async (content: unknown, more: object = {}): Promise<void> => {
    uuids.push(await writer.append({ type: "user", message: { role: "user", content }, ...more }));
  };
  const assistant = async (id: string, block: object): Promise<void> => {
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = {
      id,
      type: "message",
      role: "assistant",
      model: "claude-opus-4-6",
      content: [block],
      stop_reason: null,
      usage,
    };
    uuids.push(await writer.append({ type: "assistant", message }));
  };
  await user("Which file is broken? ü 漢 🙂");
  await assistant("msg_1", { type: "text", text: "I look into both." });
  await assistant("msg_1", {
    type: "tool_use",
    id: "toolu_01",
    name: "Bash",
    input: { command: "npm test" },
  });
  await user([{ type: "tool_result", tool_use_id: "toolu_01", content: "1 failed" }], {
    toolUseResult: { stdout: "1 failed", stderr: "" },
  });
  await assistant("msg_2", { type: "text", text: "One test fails." });
  await user("And why?");
  await assistant("msg_3", { type: "text", text: "Because parser.ts is wrong." });
  await writer.appendMeta({ type: "custom-title", customTitle: "The broken file" });
  return { session: writer.session, uuids };
}

/** Resumes the session and says what the client did otherwise than it should. */
export async function wrongWith(
  home: CheckHome,
  session: SessionRef,
  { byId = true }: { byId?: boolean } = {},
): Promise<string[]> {
  const ours = fs.readFileSync(session.path);
  const expected = spokenIn(await messagesOf(home.store, session));
  const resumed = await resume(home, byId ? session.sessionId : undefined);
  const problems: string[] = [];
  if (resumed.code !== 0) problems.push(`the client ended with ${resumed.code}`);
  if (resumed.stderr !== "") problems.push(`the client complained: ${resumed.stderr.slice(0, 300)}`);
  if (resumed.sessionId !== session.sessionId)
    problems.push(`the client went on as session ${resumed.sessionId}`);
  const sent = spokenBefore(PROMPT, resumed.request);
  if (JSON.stringify(sent) !== JSON.stringify(expected)) {
    problems.push(`the model was given ${JSON.stringify(sent)} instead of ${JSON.stringify(expected)}`);
  }
  if (!fs.readFileSync(session.path).subarray(0, ours.length).equals(ours))
    problems.push("what was written before has changed");
  const now = spokenIn(await messagesOf(home.store, session));
  const wanted = [...expected, `user: ${PROMPT}`, `assistant: ${ANSWER}`];
  if (JSON.stringify(now) !== JSON.stringify(wanted))
    problems.push(`Holdfast reads ${JSON.stringify(now)} afterwards`);
  return problems;
}

function resume(
  home: CheckHome,
  sessionId: string | undefined,
  meanwhile = (): Promise<void> | void => {},
): Promise<Resumed> {
  return resumeWithClient(home, { sessionId, cwd: home.cwd, prompt: PROMPT, meanwhile });
}

/** The messages that Holdfast says a resume gives to the model. */
async function messagesOf(
  store: SessionStore,
  session: SessionRef,
): Promise<{ role: string; content: unknown }[]> {
  const { entries, rejections } = await store.readConversation(session, { mode: "context" });
  if (rejections.length > 0) throw new Error(`Cannot read session: ${JSON.stringify(rejections)}`);
  return entries.flatMap((entry) => {
    const { message } = entry as { message?: { role: string; content: unknown } };
    return message ? [message] : [];
  });
}
