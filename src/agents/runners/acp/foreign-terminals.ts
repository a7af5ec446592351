import { isJsonObject } from "../../../format/json-object.ts";
import { OutputTail } from "../output-tail.ts";
import { numberAt, textAt } from "../json-fields.ts";
import { agentTerminalBytesMax } from "./limits.ts";

/**
 * What commands print that agents run themselves, and tell of in `_meta` of their calls to clients that declare
 * `terminal_output`. The end of each is kept until its call is over.
 */
export class ForeignTerminals {
  readonly #outputs = new Map<string, OutputTail>();
  readonly #failed = new Set<string>();

  /** Hears an update of a call. Returns the terminals that have printed something. */
  hear(meta: unknown): string[] {
    if (!isJsonObject(meta)) return [];
    const exited = textAt(meta, "terminal_exit.terminal_id");
    const isFailed = (numberAt(meta, "terminal_exit.exit_code") ?? 0) !== 0;
    if (exited !== undefined && isFailed) this.#failed.add(exited);
    return ["terminal_output", "terminal_output_delta"].flatMap((key) => {
      const terminalId = textAt(meta, `${key}.terminal_id`);
      const data = textAt(meta, `${key}.data`);
      if (terminalId === undefined || data === undefined) return [];
      const output = this.#outputs.get(terminalId) ?? new OutputTail(agentTerminalBytesMax);
      this.#outputs.set(terminalId, output);
      output.add(Buffer.from(data));
      return [terminalId];
    });
  }

  findOutput(terminalId: string): string | undefined {
    return this.#outputs.get(terminalId)?.read().text;
  }

  hasFailed(terminalId: string): boolean {
    return this.#failed.has(terminalId);
  }

  forget(terminalId: string): void {
    this.#outputs.delete(terminalId);
    this.#failed.delete(terminalId);
  }
}
