import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { chatItemsMax } from "../limits.ts";
import { makeStyle } from "../../render/style.ts";
import { openChatStore, type ChatStore } from "../chat-store.ts";
import { emptyThread, frontThread, initialChat } from "../state/chat-state.ts";
import { openChatScreen } from "./chat-screen.ts";

interface Opened extends Disposable {
  chat: ChatStore;
  /** What was written since the last time. */
  written(): string;
  type(text: string): void;
  resize(columns: number): void;
}

function open(): Opened {
  const chat = openChatStore(initialChat(emptyThread("one"), { history: [] }));
  const input = Object.assign(new PassThrough(), { setRawMode: () => {} });
  const output = Object.assign(new PassThrough(), { columns: 60, rows: 20 });
  const close = openChatScreen(chat, {
    input: input as unknown as NodeJS.ReadStream,
    output: output as unknown as NodeJS.WriteStream,
    style: makeStyle({ hasColor: false }),
  });
  return {
    chat,
    written: () => (output.read() as Buffer | null)?.toString() ?? "",
    type: (text) => void input.write(text),
    resize(columns) {
      output.columns = columns;
      output.emit("resize");
    },
    [Symbol.dispose]: close,
  };
}

function say(chat: ChatStore, from: number, to: number): void {
  for (let index = from; index < to; index++)
    chat.dispatch({ kind: "printed", item: { kind: "notice", text: `said-${index}.`, isError: false } });
}

describe("openChatScreen()", () => {
  test("prints everything once, in order, however much comes, and keeps a limit of it", async () => {
    using opened = open();
    const { chat } = opened;
    const [burst, end] = [2 * chatItemsMax, 2 * chatItemsMax + 5];
    let printed = "";
    const isPrinted = async (text: string): Promise<void> =>
      await expect.poll(() => (printed += opened.written())).toContain(text);
    say(chat, 0, burst);
    await isPrinted(`said-${burst - 1}.`);
    say(chat, burst, end);
    await isPrinted(`said-${end - 1}.`);
    const order = [...printed.matchAll(/said-(\d+)\./g)].map(([, index]) => Number(index));
    expect(order).toEqual(Array.from({ length: end }, (_, index) => index));
    expect(frontThread(chat.state).items).toHaveLength(chatItemsMax);
  });

  test("draws over what it drew, prints what fits again when the window gets narrower, and leaves nothing", async () => {
    const opened = open();
    const { chat } = opened;
    say(chat, 0, 100);
    await expect.poll(() => opened.written()).toContain("said-99.");
    opened.type("hello");
    // Up from the prompt to the empty line above its rule; all below is erased.
    await expect.poll(() => opened.written()).toMatch(/^\S*\u001b\[2A\r\u001b\[J[^]*❯ hello/u);
    opened.resize(40);
    const again = opened.written();
    expect(again).toContain("\u001b[2J");
    expect(again).not.toContain("said-79.");
    expect(again).toContain("said-99.");
    opened[Symbol.dispose]();
    expect(opened.written()).toBe("\u001b[2A\r\u001b[J\u001b[?2004l");
  });
});
