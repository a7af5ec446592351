import fs from "node:fs";
import path from "node:path";
import {
  reportUsage,
  type UsageContext,
  type UsageGrouping,
  type UsageOptions,
  type UsageReport,
} from "../../src/usage/index.ts";
import { tempDir } from "./temp-dir.ts";

/** A config folder and a home, and what is reported of them. */
export interface UsageWorld {
  configDir: string;
  home: string;
  report(by: UsageGrouping, options?: Partial<UsageOptions>): Promise<UsageReport>;
  /** Writes a transcript below the projects' folder: its path. */
  write(file: string, lines: readonly object[]): string;
}

export function usageWorld(context: Partial<UsageContext> = {}): UsageWorld {
  const dir = tempDir();
  const places = { configDir: path.join(dir, "config"), home: path.join(dir, "home"), ...context };
  return {
    ...places,
    report: (by, options = {}) => reportUsage(places, { by, ...options }),
    write(file, lines) {
      const full = path.join(places.configDir, "projects", file);
      fs.mkdirSync(path.dirname(full), { recursive: true });
      fs.writeFileSync(full, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return full;
    },
  };
}

/** One answer in as many lines as there are counts of output tokens. */
export function answerLines(
  id: string,
  outputs: readonly number[],
  { model = "claude-opus-4-6", stop = "end_turn", text = "x", ...usage }: Record<string, unknown> = {},
): object[] {
  return outputs.map((output) => ({
    type: "assistant",
    requestId: `req_${id}`,
    message: {
      model,
      id: `msg_${id}`,
      role: "assistant",
      content: [{ type: "text", text }],
      stop_reason: stop,
      usage: { input_tokens: 10, cache_read_input_tokens: 1000, output_tokens: output, ...usage },
    },
  }));
}
