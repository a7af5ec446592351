import type { OpenThreads } from "../../../agents/threads/open-threads.ts";
import type { ChatStore } from "./chat-store.ts";
import type { ChatWorld } from "./chat-world.ts";
import { frontThread } from "./state/chat-state.ts";

/** Whom the chat asks and who decides about tools: shown below the prompt, and changed by commands. */
export class ChatSettings {
  readonly #chat: ChatStore;
  readonly #world: ChatWorld;
  readonly #threads: OpenThreads;

  constructor(chat: ChatStore, world: ChatWorld, threads: OpenThreads) {
    this.#chat = chat;
    this.#world = world;
    this.#threads = threads;
  }

  show(): void {
    const { runner, folder } = this.#world;
    const { model, permission } = this.#threads;
    const agent = runner.agent ?? runner.command ?? runner.module ?? runner.name;
    const header = { agent, folder, permission, ...(model !== undefined && { model }) };
    this.#chat.dispatch({ kind: "header", header });
  }

  /** Asks another model from the next prompt on; without a name only says which it is. */
  model(name: string): string {
    const { front: thread } = this.#chat.state;
    if (name === "") {
      const { usage } = frontThread(this.#chat.state);
      return `The model is ${this.#threads.model ?? usage?.model ?? "the agent's own choice"}`;
    }
    this.#threads.model = name;
    this.show();
    this.#chat.dispatch({ kind: "thread", thread, change: { kind: "usage", usage: { model: name } } });
    return `The model is ${name} from the next prompt on`;
  }

  /** Lets another decide about tools. Throws `setting_refused` for more than the folder's own settings allow. */
  async permissions(mode: string): Promise<string> {
    const { runtime, cwd } = this.#world;
    if (mode === "") return `Who decides about tools: ${permissionTexts[this.#threads.permission]}`;
    if (!isPolicy(mode))
      return `Who decides about tools is one of ${Object.keys(permissionTexts).join(", ")}`;
    await runtime.settings.forAgent({ permission: mode }, { cwd });
    this.#threads.permission = mode;
    this.show();
    return `Who decides about tools from now on: ${permissionTexts[mode]}`;
  }
}

const permissionTexts = {
  ask: "ask (you)",
  rules: "rules (your settings, then you)",
  allow: "allow (everything is allowed)",
  deny: "deny (nothing that needs permission is)",
} as const;

function isPolicy(mode: string): mode is keyof typeof permissionTexts {
  return Object.hasOwn(permissionTexts, mode);
}
