import type { AgentStart, AskedOfAgent } from "../agents/agent-start.ts";
import type { ConfigPlace } from "../store/config/read-config.ts";
import type { SettledConfig } from "../store/config/settle-config.ts";
import type { Variables } from "./places.ts";

/** What people set: in a file of their own, and, only to take away from what is allowed, in folders that they work in. */
export interface Settings {
  /** Every setting as it holds in a folder, with where it comes from. Throws `config_invalid`. */
  list(options: { cwd: string }): Promise<SettledConfig>;
  /** Changes one in the user's file; without a text it is as if it had never been set. Throws `setting_invalid`. */
  set(key: string, text: string | undefined): Promise<void>;
  /**
   * What an agent is started with: what was asked for, else what is set. Throws `setting_refused` for more than the folder's
   * own settings allow.
   */
  forAgent(asked: AskedOfAgent, options: { cwd: string }): Promise<AgentStart>;
}

/** Each verb is loaded when it is used. */
export function openSettings(place: ConfigPlace & { variables: Variables }): Settings {
  return {
    async list({ cwd }) {
      return (await import("../store/config/settle-config.ts")).settleConfig(place, { cwd });
    },
    async set(key, text) {
      const { parseSetting } = await import("../store/config/parse-setting.ts");
      const value = parseSetting(key, text);
      (await import("../store/config/write-setting.ts")).writeSetting(place, key, value);
    },
    async forAgent(asked, { cwd }) {
      return (await import("../agents/agent-start.ts")).agentStart(place, asked, { cwd });
    },
  };
}
