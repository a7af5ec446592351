import { codeOf, messageOf } from "../../lib/errors.ts";
import type { Runtime } from "../open-runtime.ts";
import { healthView } from "../views/finding-view.ts";
import { hitView } from "../views/hit-view.ts";
import { recoveryView } from "../views/recovery-view.ts";
import { usageView } from "../views/usage-view.ts";
import type { RunVerbs } from "./world.ts";

/** What is asked of all sessions and tasks together, and of the home. */
export const findingVerbs: RunVerbs<"search" | "usage" | "recover" | "check" | "repair" | "fleet"> = {
  async search({ runtime, signal }, { q, cwd, since, ...asked }) {
    const began = performance.now();
    const result = await runtime.search(q, {
      ...asked,
      project: cwd,
      since: since === undefined ? undefined : new Date(since),
      signal,
    });
    const titles = new Map<string, string | null>();
    for (const { sessionId, project } of result.hits) {
      const key = `${project}/${sessionId ?? ""}`;
      if (sessionId !== null && !titles.has(key)) titles.set(key, await titleOf(runtime, sessionId, project));
    }
    const hits = result.hits.map((hit) =>
      Object.assign(hitView(hit), { title: titles.get(`${hit.project}/${hit.sessionId ?? ""}`) ?? null }),
    );
    const { total, hasIndex } = result;
    if (!asked.isRegex) await runtime.keepIndexCurrent(result);
    return { hits, total, hasIndex, tookMs: Math.round(performance.now() - began) };
  },
  async usage({ runtime, signal }, { by, since, until, project }) {
    const report = await runtime.usage({
      by,
      project,
      since: since === undefined ? undefined : new Date(since),
      until: until === undefined ? undefined : new Date(until),
      signal,
    });
    return usageView(by, report);
  },
  async recover({ runtime }, { cwd }) {
    return recoveryView(await runtime.recover({ cwd }));
  },
  async check({ runtime, signal }, { isFull, cwd }) {
    return healthView(await runtime.health.check({ isFull, cwd, signal }));
  },
  async fleet({ runtime, env }) {
    const { home, settingsFile } = runtime;
    const { findFleetAddress } = await import("../../fleet/server/fleet-address.ts");
    if (!findFleetAddress({ home, settingsFile, variables: env }, "watcher")) return { isKnown: false };
    try {
      return { isKnown: true, ...(await runtime.fleet.overview()) };
    } catch (error) {
      // That it does not answer is what whoever looks wants to see.
      return { isKnown: true, error: messageOf(error) };
    }
  },
  async repair({ runtime, signal }, { cwd }) {
    const { repairs } = await runtime.health.check({ cwd, signal });
    const { repaired, failed } = await runtime.health.repair(repairs);
    return { repaired, failed };
  },
};

// Between the search and this the session may have gone.
async function titleOf({ sessions }: Runtime, sessionId: string, project: string): Promise<string | null> {
  try {
    const { title, firstPrompt } = await sessions.summary(await sessions.named(sessionId, { project }), {
      counts: false,
    });
    return title ?? firstPrompt ?? null;
  } catch (error) {
    if (["session_not_found", "session_ambiguous"].includes(codeOf(error) ?? "")) return null;
    throw error;
  }
}
