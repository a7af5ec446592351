import fs from "node:fs";
import path from "node:path";
import { makeEndedTasks } from "../../bench/support/ended-tasks.ts";
import { askBoth, newHomes, type Comparison } from "./ask-both.ts";
import { taskQuestions } from "./questions.ts";

const TASKS = { count: 300, projects: 5, untold: 20 };
const FAILED_EVERY = 7;

/** Asks about ended tasks: in new homes, again, and after one was removed and the notices of all were taken. */
export function compareTasks(comparison: Comparison): void {
  const made = makeEndedTasks(path.join(comparison.scratchDir, "tasks"), TASKS);
  failSome(made.home);
  const homes = newHomes(comparison);
  for (const home of [homes.before, homes.after])
    fs.cpSync(made.home, home, { recursive: true, preserveTimestamps: true });
  const ask = (stage: string, questions: readonly (readonly string[])[]): void =>
    askBoth(comparison, { stage, homes, questions: taskQuestions(questions) });

  const questions = [
    ["ps", "--all"],
    ["ps", "--all", "--limit", "20"],
    ["inspect", made.id],
    ["inspect", made.name],
    ["inspect", "@last"],
    ["notices"],
    ["usage", "--by", "task"],
    ["doctor"],
    ["search", "done"],
  ];
  ask("tasks", questions);
  ask("tasks, kept", questions);
  const others = questions.filter(([command]) => command !== "inspect");
  ask("tasks, one removed", [["rm", made.id], ...others]);
  ask("tasks, notices taken", [["notices", "--consume"], ...others]);
}

/** Gives every seventh task another exit code, at the same time of its end. */
function failSome(home: string): void {
  const endings = fs.globSync("projects/*/tasks/*.end.json", { cwd: home });
  for (const name of endings.filter((_, index) => index % FAILED_EVERY === 0)) {
    const file = path.join(home, name);
    const { mtime } = fs.statSync(file);
    fs.writeFileSync(file, fs.readFileSync(file, "utf8").replace('"exitCode":0', '"exitCode":3'));
    fs.utimesSync(file, mtime, mtime);
  }
}
