import type { McpServer } from "@modelcontextprotocol/server";

type RequestId = string | number;
type Act = () => void | Promise<void>;

/**
 * What is to be done once the answer to a request is out. What was asked for by a client that is gone, or gave the call
 * up, is never sent, so it is not done.
 */
export class Deliveries {
  readonly #waiting = new Map<RequestId, Act[]>();

  /** Sees what this server sends, over whatever it is connected to. */
  watch(server: McpServer): void {
    const connect = server.connect.bind(server);
    server.connect = async (transport) => {
      const send = transport.send.bind(transport);
      transport.send = async (message, options) => {
        await send(message, options);
        if ("id" in message && message.id !== undefined && !("method" in message)) this.#sent(message.id);
      };
      return connect(transport);
    };
  }

  add({ id, signal }: { id: RequestId; signal: AbortSignal }, act: Act): void {
    if (signal.aborted) return;
    signal.addEventListener("abort", () => this.#waiting.delete(id));
    this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), act]);
  }

  // That a pipe has no reader any more is heard of a moment after the write, and ends this process.
  #sent(id: RequestId): void {
    const acts = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    setImmediate(() => {
      // What cannot be noted is told again.
      for (const act of acts) void Promise.resolve(act()).catch(() => {});
    });
  }
}
