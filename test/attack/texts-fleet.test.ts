import { describe, expect, test } from "vitest";
import { fleetAddress } from "../../src/fleet/server/fleet-address.ts";
import { connectFleet } from "../../src/fleet/transport/connection.ts";
import { sessionSubject, workerSubject } from "../../src/fleet/transport/names.ts";
import { fleetHome, natsServer } from "../e2e/fleet-cli.ts";
import { reportAttack } from "./attack-size.ts";
import { hostiles, ownControls, unseen } from "./hostile-home.ts";

// A real server, a worker of ours with a hostile agent, and one that is not ours: nobody checks its words on the way.

const at = new Date().toISOString();
const worker = { schemaVersion: 1, id: "w", host: "h", pid: 1, slots: 1, busy: 0, labels: [], at };
const session = {
  schemaVersion: 1,
  sessionId: "0a11ce00",
  shard: 0,
  run: 1,
  queue: "default",
  status: "running",
  epoch: 1,
  handOvers: 0,
  description: "x",
  origin: { host: "h", user: "u", cwd: "/" },
  dispatchedAt: at,
  updatedAt: at,
};

describe.skipIf(natsServer === undefined)("text of the fleet", () => {
  test.each(hostiles)("reaches screens only clean: %j", { timeout: 120_000 }, async (hostile) => {
    await using fleet = await fleetHome();
    const { home } = fleet;
    fleet.startWorker();
    const steps = [
      { tool: hostile, input: { command: hostile, [hostile]: hostile }, result: hostile },
      { text: hostile },
    ];
    const id = await fleet.send(steps, "--permission", "allow", "--description", hostile);
    expect(await home.holdfast("wait", id)).toMatchObject({ code: 0 });
    const { sessionId } = await home.json<{ sessionId: string }>("output", id);

    const connection = await connectFleet(fleetAddress({ home: home.home, variables: {} }, "worker"), {
      name: "x",
    });
    const tell = async (subject: string, value: unknown): Promise<unknown> =>
      connection.js.publish(subject, JSON.stringify(value));
    const said = { host: hostile, labels: [hostile], at: hostile };
    await tell(workerSubject("hostile"), { ...worker, id: hostile, ...said });
    const more = {
      status: hostile,
      worker: hostile,
      description: hostile,
      needsInput: hostile,
      dispatchedAt: hostile,
    };
    const origin = { host: hostile, user: hostile, cwd: hostile };
    await tell(sessionSubject("0a11ce00"), { ...session, ...more, origin });
    await tell(sessionSubject("0a11ce01"), {
      ...session,
      ...more,
      origin,
      status: "running",
      sessionId: "0a11ce01",
    });
    // What is no worker and no session breaks nothing but itself.
    const broken = [
      1,
      null,
      { schemaVersion: 1 },
      { ...worker, labels: 7 },
      { ...worker, host: null, slots: "x" },
    ];
    for (const [n, value] of broken.entries()) await tell(workerSubject(`broken${n}`), value);
    const odd = [null, { schemaVersion: 1 }, { ...session, origin: null }, { ...session, handOvers: "7" }];
    const named = [hostile, "../../up", "a.b", "*", "", 7].map((each) =>
      Object.assign({}, session, { sessionId: each }),
    );
    for (const [n, value] of [...odd, ...named].entries()) await tell(sessionSubject(`odd${n}`), value);
    await connection.close();

    let reached = 0;
    const clean = (what: string, text: string): void => {
      const shown = text.replace(ownControls, "");
      const obeyed =
        unseen.exec(shown)?.[0] ?? (what.startsWith("fleet status") && /^- forged/m.exec(shown)?.[0]);
      expect([what, shown.includes("obey"), obeyed || undefined]).toEqual([what, true, undefined]);
      reached++;
    };
    const overview = await home.json<{
      workers: object[];
      sessions: { sessionId: string }[];
      handOvers: number;
    }>("fleet", "status", "--all");
    expect(overview.workers).toHaveLength(2);
    expect(overview.sessions.map((each) => each.sessionId).toSorted()).toEqual(
      ["0a11ce00", "0a11ce01", sessionId].toSorted(),
    );
    expect(overview.handOvers).toBe(0);
    for (const words of [
      ["fleet", "status"],
      ["fleet", "status", "--all"],
      ["fleet", "show", sessionId],
      ["inspect", id],
      ["logs", id],
      ["output", id],
      ["ps", "-a"],
    ]) {
      const terminal = home.spawnOnTerminal(words, { columns: 250, rows: 50 });
      expect([words, await terminal.ended()]).toEqual([words, 0]);
      clean(words.join(" "), terminal.screen);
      clean(`${words.join(" ")} --json`, (await home.holdfast(...words, "--json")).stdout);
    }
    const watching = home.spawnOnTerminal(["fleet", "status", "--watch"], { columns: 250, rows: 50 });
    await watching.shows("obey");
    watching.type("\u0003");
    await watching.ended();
    clean("fleet status --watch", watching.screen);
    const refused = await home.holdfast("fleet", "show", hostile.replaceAll("\0", ""));
    expect(refused.code).not.toBe(0);
    clean("fleet show of nothing", refused.stderr);
    reportAttack("texts of the fleet", { "consumers reached": reached });
  });
});
