import type { AnyMessage, Stream } from "@agentclientprotocol/sdk";
import type { AgentProcess } from "../agent-process.ts";
import { runnerError } from "../errors.ts";
import { readJsonLines } from "../read-json-lines.ts";

export interface MessageStreamOptions {
  /** Resolves when the next message may be read. */
  room: () => Promise<void>;
  /** Called with the parameters of each `session/update`. */
  onUpdate: (params: unknown) => void;
  /** Called with what the agent prints that is no message. */
  onGarbage: (text: string) => void;
}

/**
 * The messages of an agent process, one JSON a line. Unlike the SDK's own stream it reads only when there is room, and
 * passes over what is no message (agents print banners). Updates are taken out here, in their order: the SDK handles
 * messages side by side, so the answer to a prompt could overtake the last words of the turn.
 */
export function messageStream(agent: AgentProcess, options: MessageStreamOptions): Stream {
  const { room, onUpdate, onGarbage } = options;
  const lines = readJsonLines(agent.stdout);
  const nextForSdk = async (): Promise<AnyMessage | undefined> => {
    for (;;) {
      await room();
      const { value: line, done } = await lines.next();
      if (done) return undefined;
      if (line.kind === "oversized") {
        const problem = `a line of ${line.bytes} bytes is longer than any message`;
        throw runnerError("agent_protocol", `Cannot read the agent's message: ${problem}`);
      }
      if (line.kind === "garbage") onGarbage(line.text);
      else if (line.value["method"] === "session/update") onUpdate(line.value["params"]);
      else return line.value as AnyMessage;
    }
  };
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        const message = await nextForSdk();
        if (message) controller.enqueue(message);
        else controller.close();
      },
      cancel: () => void agent.stdout.destroy(),
    },
    { highWaterMark: 0 },
  );
  const writable = new WritableStream<AnyMessage>({
    write: (message) =>
      new Promise((resolve, reject) => {
        agent.stdin.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
      }),
  });
  return { readable, writable };
}
