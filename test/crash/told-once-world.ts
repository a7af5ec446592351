import { spawn, type ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { runHook, type HookWorld } from "../../src/doors/hooks/index.ts";
import { holdfastPaths, projectKey } from "../../src/format/paths.ts";
import { repetitionText } from "../../src/tasks/notices/offer.ts";
import { recordLaunch } from "../../src/recovery/record-launch.ts";
import { readTask } from "../../src/tasks/record/task.ts";
import type { TaskFiles } from "../../src/tasks/record/task-files.ts";
import { writeEnding } from "../../src/tasks/record/write-ending.ts";
import { writeEndedTask, writeSupervisedTask } from "../support/ended-task.ts";
import type { SeededRandom } from "../support/seeded-random.ts";
import { tempDir } from "../support/temp-dir.ts";
import { startTimeOf } from "../../src/lib/process-identity.ts";
import { waitFor } from "../support/wait-for.ts";

const SESSION = "5c03a1de-0000-4000-8000-000000000001";

/** Where somebody dies while a hook tells; `never` twice as often as any other. */
const DEATHS = ["never", "before", "taken", "out", "client", "before", "never"] as const;

/** How far a supervisor was with the ending when it died: `named` is all that it had to do. */
const ENDINGS = ["named", "written", "none"] as const;

interface Work {
  /** Of Holdfast, or of the client. */
  owner: "holdfast" | "client";
  output: string;
  hasEnded: boolean;
  /** Of one that runs. */
  supervised?: { files: TaskFiles; supervisor: ChildProcess };
}

/**
 * A model of the protocol: a client with its transcript, its hooks (the real handlers), supervisors, manifest and notices
 * (the real files). Each of them may die at any step. A process that is a client or a supervisor here only sleeps.
 */
export class ToldOnceWorld implements Disposable {
  readonly #home = path.join(tempDir(), "home");
  readonly #configDir = tempDir();
  readonly #cwd = tempDir();
  readonly #tmp = tempDir();
  readonly #random: SeededRandom;
  readonly #works = new Map<string, Work>();
  /** What the client has still to tell. */
  #queue: string[] = [];
  #client: ChildProcess | undefined;
  #now = Date.now() - 3_600_000;
  readonly log: string[] = [];

  constructor(random: SeededRandom) {
    this.#random = random;
    // Nothing is launched by a session that nobody has spoken in.
    this.#write({ type: "user", message: { role: "user", content: "Begin" } });
  }

  /** Something that can happen next, chosen by chance. */
  async step(): Promise<void> {
    this.#now += 10_000;
    if (!this.#client) return this.start();
    const steps = [
      () => this.#launch(),
      () => this.#launch(),
      () => this.#end(),
      () => this.#end(),
      () => this.#turn(),
      () => this.#turn(),
      // A compaction, in which the client keeps what it has to tell for afterwards.
      () => this.#hook("SessionStart", { source: "compact" }),
      () => this.#hook("SessionStart", { source: "compact" }),
      () => this.#kill(),
    ];
    await steps[this.#random.between(0, steps.length - 1)]!();
  }

  /** Everything ends, and a client lives long enough to hear of it. */
  async finish(): Promise<void> {
    for (const [id, work] of this.#works) if (!work.hasEnded) await this.#endOf(id, work);
    if (!this.#client) await this.start("never");
    for (let turns = 0; turns < 3; turns++) {
      this.#now += 10_000;
      await this.#turn("never");
    }
  }

  /** What must not be, in words. */
  problems(): string[] {
    const lines = this.#transcriptLines();
    return [...this.#works].flatMap(([id]) => {
      const byUs = lines.filter((line) => line.includes(`(notice n-${id})`));
      const byClient = lines.filter(
        (line) => line.includes(`<task-id>${id}</task-id>`) && line.includes('"type":"user"'),
      );
      const times = byUs.length + byClient.length;
      if (times === 0) return [`${id} was lost`];
      // Said again only between delivery and confirmation, and then it says so.
      const isSaid =
        byUs.slice(1).every((line) => line.includes(repetitionText)) &&
        byClient.length + Math.min(byUs.length, 1) === 1;
      return times === 1 || isSaid ? [] : [`${id} was told ${times} times`];
    });
  }

  async start(death?: (typeof DEATHS)[number]): Promise<void> {
    this.#client = spawn("sleep", ["1000"], { stdio: "ignore" });
    const { pid } = this.#client;
    const file = path.join(this.#configDir, "sessions", `${pid}.json`);
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, JSON.stringify({ sessionId: SESSION, cwd: this.#cwd, startedAt: this.#now }));
    this.log.push(`client ${pid} begins`);
    await this.#hook("SessionStart", { source: "resume" }, death);
  }

  [Symbol.dispose](): void {
    this.#client?.kill("SIGKILL");
    for (const { supervised } of this.#works.values()) supervised?.supervisor.kill("SIGKILL");
  }

  async #launch(): Promise<void> {
    const owner = this.#random.between(0, 1) === 0 ? "holdfast" : "client";
    const id = `b${String(this.#works.size).padStart(8, "0")}`;
    this.log.push(`${id} of ${owner} is launched`);
    if (owner === "holdfast") {
      const second = Math.round((this.#now - Date.UTC(2026, 0, 1)) / 1000);
      const options = { id, second, cwd: this.#cwd, sessionId: SESSION };
      const clock = { now: () => new Date(this.#now) };
      const place = { home: this.#home, configDir: this.#configDir, clock };
      if (this.#random.between(0, 1) === 0) {
        const files = writeEndedTask(this.#home, options);
        await recordLaunch(readTask(files)!, place);
        this.#works.set(id, { owner, output: files.output, hasEnded: true });
        return;
      }
      const supervisor = spawn("sleep", ["1000"], { stdio: "ignore" });
      const files = writeSupervisedTask(this.#home, options, supervisor.pid!);
      await recordLaunch(readTask(files)!, place);
      const supervised = { files, supervisor };
      this.#works.set(id, { owner, output: files.output, hasEnded: false, supervised });
      return;
    }
    const output = path.join(
      this.#tmp,
      `claude-${process.getuid?.() ?? 0}`,
      projectKey(this.#cwd),
      SESSION,
      "tasks",
      `${id}.output`,
    );
    fs.mkdirSync(path.dirname(output), { recursive: true });
    fs.writeFileSync(output, "printed\n");
    fs.utimesSync(output, this.#now / 1000, this.#now / 1000);
    this.#works.set(id, { owner, output, hasEnded: false });
    const tool = { tool_name: "Bash", tool_input: { command: id, run_in_background: true } };
    await this.#hook("PostToolUse", { ...tool, tool_response: { backgroundTaskId: id } }, "never");
  }

  async #end(): Promise<void> {
    const open = [...this.#works].filter(([, { hasEnded }]) => !hasEnded);
    const [id, work] = open[this.#random.between(0, open.length - 1)] ?? [];
    if (id !== undefined && work) await this.#endOf(id, work);
  }

  async #endOf(id: string, work: Work): Promise<void> {
    work.hasEnded = true;
    if (work.supervised) return this.#endSupervised(id, work.supervised);
    this.log.push(`${id} ends`);
    if (!this.#client || !this.#isOfThisClient(id)) return;
    fs.appendFileSync(work.output, "\n[exited with code 0]\n");
    fs.utimesSync(work.output, this.#now / 1000, this.#now / 1000);
    this.#queue.push(id);
    this.#write({ type: "queue-operation", operation: "enqueue", content: notification(id) });
  }

  // What comes after the last thing that its supervisor did is left to whoever looks.
  async #endSupervised(id: string, { files, supervisor }: NonNullable<Work["supervised"]>): Promise<void> {
    const how = ENDINGS[this.#random.between(0, ENDINGS.length - 1)]!;
    this.log.push(`${id} ends, its supervisor dies with the ending ${how}`);
    const ending = { schemaVersion: 1, exitCode: 0, reason: "exit" } as const;
    if (how === "written") fs.writeFileSync(files.endingDraft, JSON.stringify(ending).padEnd(256));
    if (how === "named") writeEnding(files, ending);
    await killed(supervisor);
  }

  #isOfThisClient(id: string): boolean {
    const manifest = fs.readFileSync(
      holdfastPaths(this.#home).projectManifestPath(projectKey(this.#cwd)),
      "utf8",
    );
    return (
      manifest.includes(`"agent_id":"${id}"`) &&
      manifest
        .split("\n")
        .some((line) => line.includes(`"agent_id":"${id}"`) && line.includes(`"pid":${this.#client?.pid},`))
    );
  }

  async #turn(death?: (typeof DEATHS)[number]): Promise<void> {
    // The client gives what it has, in this turn or in a later one.
    if (death === "never" || this.#random.between(0, 2) > 0)
      for (const id of this.#queue.splice(0)) {
        this.#write({ type: "user", message: { role: "user", content: notification(id) } });
        if (death === "never" || this.#random.between(0, 1) === 0)
          await this.#hook("UserPromptSubmit", { prompt: notification(id) }, "never");
      }
    await this.#hook("UserPromptSubmit", { prompt: "And now?" }, death);
    if (!this.#client) return;
    this.#now += 5000;
    this.#write({ type: "assistant", message: { role: "assistant", content: [] } });
    await this.#hook("Stop", { background_tasks: [] }, death);
  }

  async #kill(): Promise<void> {
    const client = this.#client!;
    this.log.push(`client ${client.pid} is killed`);
    this.#client = undefined;
    await killed(client);
    this.#queue = [];
  }

  async #hook(event: string, fields: object, given?: (typeof DEATHS)[number]): Promise<void> {
    const death = given ?? DEATHS[this.#random.between(0, DEATHS.length - 1)]!;
    if (death === "before") return;
    const input = {
      session_id: SESSION,
      cwd: this.#cwd,
      hook_event_name: event,
      transcript_path: this.#transcript,
      ...fields,
    };
    const { output, afterwards = async () => {} } = await runHook(JSON.stringify(input), this.#world());
    const text = output?.hookSpecificOutput.additionalContext;
    if (text !== undefined)
      this.log.push(
        `${event} tells (${death}): ${[...text.matchAll(/\(notice n-(\w+)\)/g)].map(([, id]) => id).join(" ")}`,
      );
    if (death === "taken") return this.#buryOffers();
    if (death === "out") this.#buryOffers();
    if (death === "client") await this.#kill();
    if (text !== undefined && this.#client)
      this.#write({ type: "attachment", attachment: { type: "hook_additional_context", content: [text] } });
    if (death !== "out") await afterwards(true);
  }

  // The hook is dead: what it held has a holder that is gone.
  #buryOffers(): void {
    const dir = path.dirname(holdfastPaths(this.#home).offerPath("x"));
    for (const name of fs.existsSync(dir) ? fs.readdirSync(dir) : []) {
      const offer = JSON.parse(fs.readFileSync(path.join(dir, name), "utf8")) as {
        pid: number;
        startTime: string;
      };
      if (offer.pid !== process.pid) continue;
      fs.writeFileSync(path.join(dir, name), JSON.stringify({ ...offer, startTime: "1" }));
    }
  }

  get #transcript(): string {
    return path.join(this.#configDir, "projects", projectKey(this.#cwd), `${SESSION}.jsonl`);
  }

  #transcriptLines(): string[] {
    return fs.existsSync(this.#transcript) ? fs.readFileSync(this.#transcript, "utf8").split("\n") : [];
  }

  #write(line: object): void {
    fs.mkdirSync(path.dirname(this.#transcript), { recursive: true });
    const timestamp = new Date(this.#now).toISOString();
    fs.appendFileSync(this.#transcript, `${JSON.stringify({ ...line, timestamp })}\n`);
  }

  #world(): HookWorld {
    const env = { CLAUDE_PID: String(this.#client?.pid), CLAUDE_PROJECT_DIR: this.#cwd, TMPDIR: this.#tmp };
    return {
      home: this.#home,
      env,
      userHome: this.#configDir,
      parentPid: process.pid,
      command: ["holdfast"],
      clock: { now: () => new Date(this.#now) },
    };
  }
}

// Whoever looks next finds it dead.
async function killed(process: ChildProcess): Promise<void> {
  process.kill("SIGKILL");
  await waitFor(() => startTimeOf(process.pid!) === undefined);
}

function notification(id: string): string {
  return `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n<summary>It completed</summary>\n</task-notification>`;
}
