import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { fleetHome, LONG, natsServer } from "./fleet-cli.ts";
import { taskHome } from "./task-cli.ts";

describe.skipIf(natsServer === undefined)(
  "holdfast fleet",
  () => {
    test("runs an agent with the folder as it is, and its task here has everything", async () => {
      await using fleet = await fleetHome();
      const { home } = fleet;
      fs.writeFileSync(path.join(home.cwd, "uncommitted.txt"), "not committed\n");
      fleet.startWorker();
      const id = await fleet.send(
        [
          { run: "cat uncommitted.txt" },
          { todos: [{ content: "ship", status: "pending" }] },
          { text: "The answer" },
        ],
        "--permission",
        "allow",
      );
      expect(await home.holdfast("wait", id)).toMatchObject({ code: 0 });
      const output = await home.json("output", id);
      expect(output).toMatchObject({
        retrieval_status: "success",
        status: "completed",
        content: [{ type: "text", text: "The answer" }],
        totalToolUseCount: 1,
        teleportCommand: `holdfast teleport ${id}`,
        lastProgress: { summary: "The answer", todos: [{ content: "ship", status: "pending" }] },
      });
      const { stdout } = await home.holdfast("logs", String(output["url"]));
      expect(stdout).toContain("not committed");
      const { sessions, handOvers } = await home.json<{ sessions: object[]; handOvers: number }>(
        "fleet",
        "status",
        "--all",
      );
      expect(sessions).toMatchObject([{ sessionId: output["sessionId"], status: "completed" }]);
      expect(handOvers).toBe(0);
      const shown = await home.holdfast("fleet", "show", String(output["sessionId"]).slice(0, 8));
      expect(shown.stdout).toContain("The answer");
    });

    test("asks here, hears what is said here, and stops when it is told here", async () => {
      await using fleet = await fleetHome();
      const { home } = fleet;
      fleet.startWorker();
      const id = await fleet.send(
        [{ run: "echo asked" }, { hear: true }, { waitFor: "/nowhere/at/all" }],
        "--permission",
        "ask",
      );
      const { requestId } = await waitFor(async () => (await fleet.status(id)).progress?.needsInput, LONG);
      expect(await home.holdfast("approve", id, "--request", requestId)).toMatchObject({ code: 0 });
      expect(await home.holdfast("send", id, "hello there")).toMatchObject({ code: 0 });
      await waitFor(async () => (await home.holdfast("logs", id)).stdout.includes("hello there"), LONG);
      expect(await home.holdfast("stop", id)).toMatchObject({ code: 0 });
      expect(await fleet.status(id)).toMatchObject({ status: "stopped" });
      const transcript = (await home.holdfast("logs", id, "--json")).stdout;
      expect(transcript.match(/hello there/g)?.length).toBeGreaterThan(0);
    });

    test("a stop holds when the worker is killed before it could obey: the next one does nothing more", async () => {
      await using fleet = await fleetHome({ lease: "2s" });
      const { home } = fleet;
      const effects = path.join(home.userHome, "effects");
      const first = fleet.startWorker();
      const id = await fleet.send(
        [
          // Until the home of this test is gone: nobody ends it when its worker is killed.
          { run: `echo began >> ${effects}; while [ -e ${effects} ]; do sleep 0.1; done` },
          { run: `echo more >> ${effects}` },
          { text: "Finished" },
        ],
        "--permission",
        "allow",
      );
      await waitFor(() => fs.existsSync(effects), LONG);
      first.kill("SIGKILL");
      await first.ended();
      const stopping = home.holdfast("stop", id);
      fleet.startWorker();
      expect(await stopping).toMatchObject({ code: 0 });
      await home.holdfast("wait", id);
      expect(await fleet.status(id)).toMatchObject({ status: "stopped" });
      const { sessions } = await home.json<{ sessions: object[] }>("fleet", "status", "--all");
      expect(sessions).toMatchObject([{ status: "stopped" }]);
      expect(fs.readFileSync(effects, "utf8")).toBe("began\n");
    });

    test("a run of a killed worker goes on elsewhere, and does nothing again that has a result", async () => {
      await using fleet = await fleetHome({ lease: "2s" });
      const { home } = fleet;
      const [effects, gate] = ["effects", "gate"].map((name) => path.join(home.userHome, name)) as [
        string,
        string,
      ];
      const first = fleet.startWorker();
      const id = await fleet.send(
        [{ run: `echo done >> ${effects}` }, { waitFor: gate }, { text: "Finished" }],
        "--permission",
        "allow",
      );
      await waitFor(async () => (await home.holdfast("logs", id)).stdout.includes("✓"), LONG);
      first.kill("SIGKILL");
      fleet.startWorker();
      fs.writeFileSync(gate, "");
      expect(await home.holdfast("wait", id)).toMatchObject({ code: 0 });
      expect(fs.readFileSync(effects, "utf8")).toBe("done\n");
      const { stdout } = await home.holdfast("logs", id, "--json");
      expect(stdout).toContain("This run has moved to another machine");
      expect(await home.json("fleet", "status", "--all")).toMatchObject({ handOvers: 1 });
    });

    test("a worker that is asked to end hands its run over with the folder as it is", async () => {
      await using fleet = await fleetHome();
      const { home } = fleet;
      const gate = path.join(home.userHome, "gate");
      const first = fleet.startWorker();
      const id = await fleet.send(
        [{ run: "echo kept > made.txt" }, { waitFor: gate }, { run: "cat made.txt" }, { text: "Finished" }],
        "--permission",
        "allow",
      );
      await waitFor(async () => (await home.holdfast("logs", id)).stdout.includes("✓"), LONG);
      first.kill("SIGTERM");
      expect(await first.ended()).toMatchObject({ code: 0 });
      fleet.startWorker();
      fs.writeFileSync(gate, "");
      expect(await home.holdfast("wait", id)).toMatchObject({ code: 0 });
      const { stdout } = await home.holdfast("logs", id);
      expect(stdout).toContain("⎿ kept");
    });

    test("a follower that is killed, and one that is gone with its supervisor, are followed by another", async () => {
      await using fleet = await fleetHome();
      const { home } = fleet;
      fleet.startWorker();
      const gate = path.join(home.userHome, "gate");
      const id = await fleet.send(
        [{ text: "before" }, { waitFor: gate }, { text: "after" }],
        "--permission",
        "allow",
      );
      await waitFor(async () => (await home.holdfast("logs", id)).stdout.includes("before"), LONG);
      const first = followers(id);
      expect(first.length).toBeGreaterThan(0);
      for (const pid of first) process.kill(pid, "SIGKILL");
      await waitFor(() => followers(id).some((pid) => !first.includes(pid)), LONG);
      // As a restart of the machine would: supervisor, follower and all.
      const { pid: supervisor } = await fleet.status(id);
      process.kill(-supervisor, "SIGKILL");
      expect(await fleet.status(id)).toMatchObject({ status: "running" });
      fs.writeFileSync(gate, "");
      await waitFor(async () => (await fleet.status(id)).status !== "running", LONG);
      const { stdout } = await home.holdfast("logs", id);
      expect(stdout.match(/before/g)).toHaveLength(1);
      expect(stdout.match(/after/g)).toHaveLength(1);
      const { notices } = await home.json<{ notices: object[] }>("notices");
      expect(notices).toMatchObject([{ taskId: id, status: "completed" }]);
      expect(await home.holdfast("wait", id)).toMatchObject({ code: 0 });
    });

    test("teleport brings a run home into a worktree, where it goes on", async () => {
      await using fleet = await fleetHome();
      const { home } = fleet;
      fleet.startWorker();
      const gate = path.join(home.userHome, "gate");
      const id = await fleet.send(
        [
          { run: "echo made > made.txt" },
          { waitFor: gate },
          { run: "pwd; cat made.txt" },
          { text: "Home again" },
        ],
        "--permission",
        "allow",
      );
      await waitFor(async () => (await home.holdfast("logs", id)).stdout.includes("made.txt"), LONG);
      const worktree = path.join(home.userHome, "worktree");
      const came = await home.holdfast("teleport", id, "--worktree", worktree);
      expect(came).toMatchObject({ code: 0 });
      expect(await fleet.status(id)).toMatchObject({ status: "stopped", stopReason: "brought home" });
      expect(fs.readFileSync(path.join(worktree, "made.txt"), "utf8")).toBe("made\n");
      expect(fs.existsSync(path.join(home.cwd, "made.txt"))).toBe(false);
      fs.writeFileSync(gate, "");
      const next = came.stdout.trim();
      expect(await home.holdfast("wait", next)).toMatchObject({ code: 0 });
      const { stdout } = await home.holdfast("logs", next);
      expect(stdout).toContain("Home again");
      expect(stdout).toContain(worktree);
    });

    test("sends no links unless it is told to, and leaves those of an agent that lead elsewhere there", async () => {
      await using fleet = await fleetHome();
      const { home } = fleet;
      fleet.startWorker();
      fs.symlinkSync("a.txt", path.join(home.cwd, "link.txt"));
      const refused = await home.holdfast("agent", "--remote", "--script", "script.json", "Do it");
      expect(refused.code).toBe(1);
      expect(refused.stderr).toContain(
        '"link.txt" is a link; --links takes along those that stay inside of the folder',
      );
      const id = await fleet.send(
        [{ run: "cat link.txt > copy.txt; ln -s /etc out; git init -q inner" }, { text: "Done" }],
        "--permission",
        "allow",
        "--links",
      );
      expect(await home.holdfast("wait", id)).toMatchObject({ code: 0 });
      const worktree = path.join(home.userHome, "worktree");
      const came = await home.holdfast("teleport", id, "--worktree", worktree);
      expect(came).toMatchObject({ code: 0, stdout: `${worktree}\n` });
      expect(came.stderr).toContain('the link "out" leads out of the folder, to "/etc"');
      expect(came.stderr).toContain('"inner" is a repository of its own');
      expect(fs.readdirSync(worktree).toSorted()).toEqual([
        ".git",
        "a.txt",
        "copy.txt",
        "link.txt",
        "script.json",
      ]);
      expect(fs.readFileSync(path.join(worktree, "copy.txt"), "utf8")).toBe("one\n");
    });

    test("agent --remote --from goes on with a local session", async () => {
      await using fleet = await fleetHome();
      const { home } = fleet;
      fleet.startWorker();
      fs.writeFileSync(path.join(home.cwd, "first.json"), JSON.stringify([{ text: "Said at home" }]));
      const local = await home.json<{ transcript?: { sessionId?: string } } & Record<string, unknown>>(
        "agent",
        "--script",
        "first.json",
        "--wait",
        "Begin",
      );
      const [session] = (await home.json<{ sessions: { sessionId: string }[] }>("sessions")).sessions;
      expect(local["status"]).toBe("completed");
      const id = await fleet.send(
        [{ text: "Said at home" }, { end: true }, { text: "Said far away" }],
        "--from",
        session!.sessionId,
      );
      expect(await home.holdfast("wait", id)).toMatchObject({ code: 0 });
      const { stdout } = await home.holdfast("show", session!.sessionId);
      expect(stdout.indexOf("Said far away")).toBeGreaterThan(stdout.indexOf("Said at home"));
    });

    test("says in one sentence what is missing", async () => {
      await using home = taskHome();
      const { code, stderr } = await home.holdfast("agent", "--remote", "--script", "x", "Do it");
      expect(code).toBe(1);
      expect(stderr).toContain("holdfast fleet up");
      expect(await home.holdfast("fleet", "dance")).toMatchObject({ code: 2 });
      expect(await home.holdfast("agent", "--label", "x", "Do it")).toMatchObject({ code: 2 });
    });
  },
  120_000,
);

// Processes by what they were started with: a follower names its task.
function followers(id: string): number[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return words.includes(id) && words.some((word) => word.endsWith("fleet-follower.ts"));
      } catch {
        return false;
      }
    })
    .map(Number);
}
