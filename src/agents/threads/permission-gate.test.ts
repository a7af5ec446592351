import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { waitFor } from "../../../test/support/wait-for.ts";
import type { PermissionAnswer, PermissionRequest } from "../../tasks/ports.ts";
import type { PermissionPolicy } from "../../tasks/kinds/agent/agent-settings.ts";
import { PermissionJudge } from "../host/permission-judge.ts";
import { PermissionGate } from "./permission-gate.ts";

interface Gate {
  gate: {
    ask(request: PermissionRequest, signal: AbortSignal): Promise<PermissionAnswer>;
    answer: PermissionGate["answer"];
    alsoAsk: PermissionGate["alsoAsk"];
  };
  log: string[];
}

function gate({ policy = "ask", rules = {} }: { policy?: PermissionPolicy; rules?: object } = {}): Gate {
  const log: string[] = [];
  const dir = tempDir();
  fs.writeFileSync(path.join(dir, "settings.json"), JSON.stringify({ permissions: rules }));
  const judge = new PermissionJudge({
    policy,
    configDir: dir,
    place: { cwd: dir, userHome: dir, hasBash: true },
  });
  const made = new PermissionGate({
    judge,
    onAsked: ({ toolUseId }) => log.push(`asked ${toolUseId}`),
    onAnswered: (toolUseId) => log.push(`answered ${toolUseId}`),
  });
  return {
    gate: {
      ask: (request, signal) => made.ask(request, { signal, onNeeded: () => {} }),
      answer: (id, answer) => made.answer(id, answer),
      alsoAsk: (asker) => made.alsoAsk(asker),
    },
    log,
  };
}

function bash(toolUseId: string, command: string): PermissionRequest {
  return { toolUseId, tool: "Bash", input: { command }, title: `Run ${command}` };
}

const never = new AbortController().signal;

describe("PermissionGate", () => {
  test("asks, and remembers what is always allowed", async () => {
    const { gate: ask, log } = gate();
    const first = ask.ask(bash("1", "make"), never);
    await waitFor(() => log.includes("asked 1"));
    ask.answer("1", "always");
    expect(await first).toEqual({ behavior: "allow", always: true });
    expect(await ask.ask(bash("2", "make"), never)).toEqual({ behavior: "allow" });
    const other = ask.ask(bash("3", "make clean"), never);
    await waitFor(() => log.includes("asked 3"));
    ask.answer("3", "no");
    expect(await other).toMatchObject({ behavior: "deny" });
    expect(log).toEqual(["asked 1", "answered 1", "asked 3", "answered 3"]);
  });

  test("takes answers to several questions in any order", async () => {
    const { gate: ask, log } = gate();
    const answers = [ask.ask(bash("1", "a"), never), ask.ask(bash("2", "b"), never)];
    await waitFor(() => log.length === 2);
    ask.answer("2", "no");
    ask.answer("1", "yes");
    expect(await Promise.all(answers)).toMatchObject([{ behavior: "allow" }, { behavior: "deny" }]);
  });

  test("is answered by the policy or the rules before anybody is asked", async () => {
    const { log } = gate();
    const rules = { allow: ["Bash(ls:*)"], deny: ["Bash(rm:*)"], ask: [] };
    expect(await gate({ policy: "allow" }).gate.ask(bash("1", "rm x"), never)).toEqual({ behavior: "allow" });
    expect(await gate({ policy: "deny" }).gate.ask(bash("1", "ls"), never)).toMatchObject({
      behavior: "deny",
    });
    expect(await gate({ policy: "rules", rules }).gate.ask(bash("1", "ls -l"), never)).toEqual({
      behavior: "allow",
    });
    expect(await gate({ policy: "rules", rules }).gate.ask(bash("1", "rm x"), never)).toMatchObject({
      behavior: "deny",
    });
    expect(log).toEqual([]);
  });

  test("also asks elsewhere, for what waits and what comes, and tells there when it is over", async () => {
    const { gate: ask, log } = gate();
    const elsewhere: { id: string; signal: AbortSignal; answer: (answer: PermissionAnswer) => void }[] = [];
    const first = ask.ask(bash("1", "a"), never);
    await waitFor(() => log.includes("asked 1"));
    ask.alsoAsk(
      ({ toolUseId: id }, { signal }) => new Promise((answer) => void elsewhere.push({ id, signal, answer })),
    );
    const second = ask.ask(bash("2", "b"), never);
    await waitFor(() => log.includes("asked 2"));
    expect(elsewhere.map(({ id }) => id)).toEqual(["1", "2"]);
    elsewhere[0]?.answer({ behavior: "allow" });
    ask.answer("2", "yes");
    expect(await Promise.all([first, second])).toMatchObject([{ behavior: "allow" }, { behavior: "allow" }]);
    expect(elsewhere.map(({ signal }) => signal.aborted)).toEqual([true, true]);
  });

  test("gives up with the query", async () => {
    const { gate: ask, log } = gate();
    const abort = new AbortController();
    const answer = ask.ask(bash("1", "make"), abort.signal);
    await waitFor(() => log.includes("asked 1"));
    abort.abort(new Error("interrupted"));
    await expect(answer).rejects.toThrow("interrupted");
    expect(log).toEqual(["asked 1", "answered 1"]);
  });
});
