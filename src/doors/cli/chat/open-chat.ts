/**
 * The chat: owns the conversations of one terminal, what is shown of them, and which of them is in front. Never decides
 * how an agent works or what becomes of a task: that is the runners' and the tasks' business.
 *
 * I1  `state/` and `view/` are pure but for chat-screen.ts; everything that happens passes the ChatStore.
 * I2  What was said is in a transcript before it is shown.
 * I3  A query in the background never writes to a session that somebody talks in (open-threads.ts).
 * I4  Nothing that an agent, a tool or a task said reaches the terminal but through src/lib/terminal-text.ts.
 * I5  No line is wider, and no frame as high, as the window.
 */
import type { SessionRef } from "../../../store/index.ts";
import type { Task } from "../../../tasks/record/task.ts";
import { loadMarkdown } from "../conversation/render-markdown.ts";
import type { Style } from "../render/style.ts";
import { ChatController } from "./chat-controller.ts";
import { openChatStore } from "./chat-store.ts";
import type { ChatWorld } from "./chat-world.ts";
import { chatHistoryMax } from "./limits.ts";
import { emptyThread, initialChat } from "./state/chat-state.ts";
import { openChatScreen } from "./view/chat-screen.ts";

/** What is left when a chat ends. */
export interface Farewell {
  /** The session to go on with later; undefined when nothing was said. */
  sessionId: string | undefined;
  /** Tasks of this folder that go on. */
  running: Task[];
  /** Queries that could not go on without the chat. */
  ended: string[];
}

/** Sits at the terminal until the person leaves; says what goes on without him. */
export async function openChat(
  world: ChatWorld,
  { session, style, isAsciiOnly }: { session?: SessionRef | undefined; style: Style; isAsciiOnly: boolean },
): Promise<Farewell> {
  const { runtime, cwd } = world;
  const history = await runtime.threads.earlierPrompts({ cwd, limit: chatHistoryMax });
  const chat = openChatStore(initialChat(emptyThread("none"), { history }));
  const controller = new ChatController(chat, world);
  await Promise.all([controller.start(session), loadMarkdown({ columns: process.stdout.columns, style })]);
  const closeScreen = openChatScreen(chat, {
    input: process.stdin,
    output: process.stdout,
    style,
    isAsciiOnly,
  });
  await new Promise<void>((resolve) => (controller.onExit = resolve));
  closeScreen();
  // Ends the query in front, and gives those in the background a process of their own.
  const { sessionId, ended } = await controller.threads.leave();
  await controller.close();
  return { sessionId, running: await runtime.tasks.list({ cwd }), ended };
}
