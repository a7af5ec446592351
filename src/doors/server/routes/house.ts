import { z } from "zod";
import { HoldfastError } from "../../../lib/errors.ts";
import { foldersTyped } from "../../../runtime/folders-typed.ts";
import { settingView } from "../../../runtime/views/settings-view.ts";
import { suggestionView } from "../answers/suggestion-view.ts";
import type { SettingsView } from "../api/house-routes.ts";
import { emptyBody, flag } from "../query-values.ts";
import { defineRoute, type Route } from "../route.ts";
import type { ServerWorld } from "../server-world.ts";

const folder = z.string().min(1).max(4096);

/** The house itself: what is wrong, the fleet, settings, folders. */
export const houseRoutes: Route[] = [
  defineRoute("GET /api/fleet", {
    summary: "Workers, runs and queues of the fleet",
    async answer({ world, signal }) {
      const fleet = await world.runtime.aside.ask("fleet", {}, { signal });
      return fleet.isKnown ? fleet : { ...fleet, setUp: suggestionView({ verb: "fleet up" }) };
    },
  }),
  defineRoute("GET /api/doctor", {
    summary: "What is wrong with the home, the sessions and the tasks, and what helps",
    query: z.strictObject({ isFull: flag.exactOptional(), cwd: folder.exactOptional() }),
    async answer({ query, world, signal }) {
      const asked = { isFull: query.isFull, cwd: query.cwd ?? world.cwd };
      const { status, checks, repairs } = await world.runtime.aside.ask("check", asked, { signal });
      return {
        status,
        checks: checks.map(({ suggestion, ...check }) =>
          Object.assign(check, { next: suggestion && suggestionView(suggestion) }),
        ),
        repairs,
        checkedAt: new Date().toISOString(),
      };
    },
  }),
  defineRoute("POST /api/doctor/repair", {
    summary: "Does every repair that the doctor names; what is replaced is kept",
    body: emptyBody,
    answer: ({ world }) => world.runtime.aside.ask("repair", { cwd: world.cwd }),
  }),
  defineRoute("GET /api/settings", {
    summary: "Every setting as it holds in a folder, and where it comes from",
    query: z.strictObject({ cwd: folder.exactOptional() }),
    answer: ({ query, world }) => settingsOf(world, query.cwd),
  }),
  defineRoute("POST /api/settings", {
    summary: "Changes a setting, or sets it back to its default",
    body: z.strictObject({ key: z.string().min(1).max(200), value: z.string().max(10_000).nullable() }),
    async answer({ body: { key, value }, world }) {
      await world.runtime.settings.set(key, value ?? undefined);
      world.streams.tellStale("settings");
      return settingsOf(world, undefined);
    },
  }),
  defineRoute("GET /api/folders", {
    summary: "Folders for a path that is being typed",
    query: z.strictObject({ typed: z.string().max(4096) }),
    async answer({ query: { typed }, world: { cwd } }) {
      if (typed.includes("\0"))
        throw new HoldfastError("Cannot list folders: no path has a NUL in it", { code: "invalid_name" });
      return { folders: await foldersTyped(typed, { cwd }) };
    },
  }),
];

async function settingsOf(
  { runtime, cwd: ownCwd }: ServerWorld,
  cwd: string | undefined,
): Promise<SettingsView> {
  const { settings } = await runtime.settings.list({ cwd: cwd ?? ownCwd });
  return {
    settings: settings.map((setting) => {
      const view = settingView(setting);
      const args = [view.key, ...(view.text === "" ? [] : [view.text])];
      return Object.assign(view, { command: suggestionView({ verb: "config set", args }).command });
    }),
    file: runtime.settingsFile,
  };
}
