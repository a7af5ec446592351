import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { isWithoutProc } from "../../../test/support/other-machine.ts";
import {
  runUnder,
  supervisorFunctions,
  supervisorSecret,
} from "../../../test/support/supervisor-functions.ts";
import { supervisorShells } from "../../../test/support/task-world.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { supervisorText } from "./supervisor-text.ts";

const ours = `HOLDFAST_SUPERVISOR=${supervisorSecret}`;
const theirs = "HOLDFAST_SUPERVISOR=b2.theirs";

/** A process as /proc shows it. An environment that is not there yet is undefined. */
interface Shown {
  pid: number | "SELF";
  parent?: number | "SELF";
  session?: number | "SELF";
  state?: string;
  environment?: string[];
  /** Where the environment begins and ends; none means that there is no program yet. */
  bounds?: [start: number, end: number];
}

const supervisor: Shown = { pid: "SELF", session: "SELF", environment: ["PATH=/bin", ours] };
const other: Shown = { pid: 10, session: 10, environment: [theirs] };
const shell: Shown = { pid: 50, session: 50, environment: ["HOME=/root"] };
const forged = (pid: number): string[] => [
  `\n==> /proc/self/environ <==\n${theirs}\n\n==> /proc/${pid}/stat <==\n${statOf({ pid, session: pid })}`,
  `B=\n==> /proc/${pid}/environ <==\n`,
  "HOLDFAST_TASK_ID=b1",
];

/** What head prints of these, each behind an environment of ours. */
function printed(processes: readonly Shown[]): string {
  const file = (name: string, text: string): string => `\n==> /proc/${name} <==\n${text}`;
  const shown = processes.map(
    (each) =>
      file(`${each.pid}/stat`, statOf(each)) +
      file(`${each.pid}/environ`, variables(each.environment)) +
      file("self/environ", variables(["PATH=/bin", ours])),
  );
  return `==> /dev/null <==\n${shown.join("")}`;
}

function statOf({ pid, parent = 1, session = 1, state = "S", environment, bounds }: Shown): string {
  const fields = Array.from({ length: 50 }, () => "0");
  const [start, end] = bounds ?? (environment ? [1000, 1000 + variables(environment).length] : [0, 0]);
  Object.assign(fields, { 0: state, 1: parent, 2: session, 3: session, 47: start, 48: end });
  return `${pid} (a) Z 1 (b) ${fields.join(" ")}\n`;
}

function variables(environment: readonly string[] = []): string {
  return environment.map((variable) => `${variable}\0`).join("");
}

const cases: { title: string; processes: Shown[]; seen: string[] }[] = [
  {
    title: "what carries the marker of a task",
    processes: [shell, { pid: 51, session: 50, environment: ["A=1", "HOLDFAST_TASK_ID=b1"] }],
    seen: ["b1:51"],
  },
  {
    title: "what is in the session of a supervisor and carries nothing",
    processes: [other, { pid: 11, session: 10, environment: ["A=1"] }],
    seen: ["@10:11"],
  },
  {
    title: "no tool of a supervisor",
    processes: [other, { pid: 11, parent: 10, session: 10, environment: [theirs] }],
    seen: [],
  },
  {
    title: "nobody who has ended",
    processes: [other, { pid: 11, session: 10, state: "Z", environment: ["A=1"] }],
    seen: [],
  },
  {
    title: "that one cannot be told yet who shows no environment and leads its session",
    processes: [{ pid: 60, session: 60 }],
    seen: ["?:0"],
  },
  {
    title: "that one cannot be told yet whose leader has gone",
    processes: [{ pid: 61, session: 60 }],
    seen: ["?:0"],
  },
  {
    title: "that one cannot be told yet whose leader shows no environment, either",
    processes: [
      { pid: 60, session: 60, bounds: [5, 5] },
      { pid: 61, session: 60 },
    ],
    seen: ["?:0"],
  },
  {
    title: "whose one is who shows no environment and whose leader does",
    processes: [shell, { pid: 51, parent: 50, session: 50 }],
    seen: [],
  },
  {
    title: "whose one is who has an empty environment",
    processes: [{ pid: 60, session: 60, bounds: [5, 5] }],
    seen: [],
  },
  { title: "that the kernel's own are nobody's", processes: [{ pid: 2, parent: 0, session: 0 }], seen: [] },
  {
    title: "that what shows no environment in the session of a supervisor is its task's",
    processes: [other, { pid: 11, parent: 1, session: 10 }],
    seen: ["@10:11"],
  },
  {
    title: "that a tool's child that shows no environment is a tool",
    processes: [
      other,
      { pid: 11, parent: 10, session: 10, environment: [theirs] },
      { pid: 12, parent: 11, session: 10 },
    ],
    seen: [],
  },
  {
    title: "what left everything, of what started it",
    processes: [
      other,
      { pid: 11, parent: 10, session: 10, environment: ["A=1"] },
      { pid: 12, parent: 11, session: 12, environment: ["A=1"] },
      { pid: 13, parent: 12, session: 13 },
      { pid: 51, session: 51, environment: ["HOLDFAST_TASK_ID=b1"] },
      { pid: 52, parent: 51, session: 52, bounds: [5, 5] },
    ],
    seen: ["@10:11", "@10:12", "@10:13", "b1:51", "b1:52"],
  },
  {
    title: "that a task which another one starts is no part of it",
    processes: [
      { pid: 5, session: 5, environment: ["HOLDFAST_TASK_ID=b1"] },
      { ...other, parent: 5 },
      { pid: 11, parent: 10, session: 10, environment: ["HOLDFAST_TASK_ID=b2"] },
      { pid: 12, parent: 11, session: 12, environment: ["A=1"] },
      { pid: 13, parent: 10, session: 10, environment: [theirs] },
    ],
    seen: ["b1:5", "b2:11", "b2:12"],
  },
  {
    title: "nothing of another process in what one carries",
    processes: [shell, { pid: 70, session: 70, environment: forged(50) }],
    seen: [],
  },
  {
    title: "who comes behind one that speaks of him",
    processes: [
      { pid: 70, session: 70, environment: forged(71) },
      { pid: 71, session: 10, environment: ["HOLDFAST_TASK_ID=b3"] },
    ],
    seen: ["b3:71"],
  },
];

describe.skipIf(isWithoutProc).each(supervisorShells)("the rules of a look under %s", (program) => {
  const run = (script: string, env?: NodeJS.ProcessEnv): string => runUnder(program, script, env);
  const functions = supervisorFunctions();

  test.each(cases)("tell $title", ({ processes, seen }) => {
    const file = path.join(tempDir(), "printed");
    fs.writeFileSync(file, printed([...processes, supervisor]));
    const script = `${functions}\nsed "s/SELF/$$/g" "$FILE" | LC_ALL=C tr '\\n\\0' '\\1\\n' | tell_processes; echo; echo $$`;
    const [words = "", self] = run(script, { FILE: file }).trim().split("\n");
    expect(words.trim().split(" ").toSorted()).toEqual([`@${self}`, ...seen].toSorted());
  });

  test.each([
    { title: "once when few are born meanwhile", births: [10, 50], scans: 1 },
    { title: "again when more are born than it reaches", births: [10, 200, 200, 210], scans: 2 },
    { title: "again when the numbers begin anew", births: [500, 3, 3, 4], scans: 2 },
  ])("scan $title", ({ births, scans }) => {
    const file = path.join(tempDir(), "births");
    fs.writeFileSync(file, births.map((each) => `${each}\n`).join(""));
    const script = `${functions}
      exec 5< "$FILE"
      note_births() { read -r _last <&5; }
      list_processes() { :; }
      tell_processes() { echo scan >> "$FILE.scans"; echo "@$$ "; }
      look`;
    run(script, { FILE: file });
    expect(fs.readFileSync(`${file}.scans`, "utf8").trim().split("\n")).toHaveLength(scans);
  });

  test.each([
    { title: "with a tool of ours", parent: "$$", session: "$$", isAlone: true },
    { title: "with a tool of a watcher", parent: "77", session: "$$", isAlone: true },
    { title: "with one in an older session that is not ours", parent: "1", session: "1", isAlone: true },
    { title: "with one of our session", parent: "1", session: "$$", isAlone: false },
    {
      title: "with one in a session that is younger than the command",
      parent: "1",
      session: "$_child",
      isAlone: false,
    },
  ])("call a command alone, or not, $title", ({ parent, session, isAlone }) => {
    // The only one that was born since has the number of a process that lives.
    const script = `${functions}
      sleep 30 > /dev/null 2>&1 &
      _child=$! _watchers=' 77' _born=$(($! - 1))
      note_births() { _last=$_child; }
      look_up() { _parent=${parent} _session=${session}; }
      is_alone && echo alone
      kill "$_child"`;
    expect(run(script).trim()).toBe(isAlone ? "alone" : "");
  });

  test("look again only when nobody is left of those that were found", () => {
    const script = `${functions}
      _looks=0 _asked=0
      await_line() { :; }
      is_alone() { false; }
      sleep() { :; }
      create() { :; }
      look_up() { _asked=$((_asked + 1)); [ "$_asked" -lt 4 ]; }
      look_together() { _looks=$((_looks + 1)); _found=' 7'; [ "$_looks" = 1 ] || _found=; }
      await_survivors
      echo "$_looks looks, asked $_asked times"`;
    expect(run(script).trim()).toBe("2 looks, asked 4 times");
  });

  test("need no look for what holds the line", () => {
    const script = `${functions}
      mkfifo "$LINE"
      { sleep 0.3; echo over > "$LINE.over"; } > "$LINE" &
      exec 8< "$LINE"
      is_alone() { [ -e "$LINE.over" ]; }
      create() { :; }
      look_together() { echo look; _found=; }
      await_survivors`;
    expect(run(script, { LINE: path.join(tempDir(), "line") })).toBe("");
  });

  test.each([
    { title: "says why a task ends", before: "", after: "timeout" },
    { title: "lets the first reason stand", before: "stopped", after: "stopped" },
  ])("finish() $title", ({ before, after }) => {
    const draft = path.join(tempDir(), "draft");
    fs.writeFileSync(draft, before);
    run(`${functions}\n_draft=$DRAFT\nkill() { false; }\nfinish timeout`, { DRAFT: draft });
    expect(fs.readFileSync(draft, "utf8")).toBe(after);
  });

  test("have who was passed over keep to itself what it saw", () => {
    const looking = tempDir();
    fs.writeFileSync(path.join(looking, "seen"), "6 old\n");
    const script = `${functions}
      _looking=$LOOKING
      look() { echo '9 newer' > "$_looking/seen"; _seen=stale; }
      look_for_all`;
    run(script, { LOOKING: looking });
    expect(fs.readFileSync(path.join(looking, "seen"), "utf8")).toBe("9 newer\n");
  });

  test("have one look alone where there is no room for the lock", () => {
    const looking = tempDir();
    const script = `${functions}
      _looking=$LOOKING _id=b1
      create() { false; }
      look() { _seen='b1:7'; }
      look_together
      echo "$_found"`;
    expect(run(script, { LOOKING: looking }).trim()).toBe("7");
  });
});

test("the supervisor calls no function that is missing", () => {
  // These two are called only where rotate.sh or punch.sh is read.
  const optional = new Set(["is_our_own", "keep_tail", "start_writers"]);
  for (const keepTail of [undefined, "punch", "rotate"] as const) {
    const text = supervisorText({ keepTail, waitsForOthers: true, hasGroup: true }).replace(/^\s*#.*/gm, "");
    const defined = new Set(Array.from(text.matchAll(/^\s*(?:function )?(\w+)\(/gm), ([, name]) => name));
    const called = Array.from(
      text.matchAll(/(?<![\w$/.{"-])[a-z]+(?:_[a-z]+)+(?=[\s;()]|$)/gm),
      ([word]) => word,
    );
    expect(called.filter((word) => !defined.has(word) && !optional.has(word))).toEqual([]);
  }
});
