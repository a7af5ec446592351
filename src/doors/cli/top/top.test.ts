import { describe, expect, test } from "vitest";
import type { ListedTask } from "../../../tasks/list/listed-task.ts";
import type { ChatKey } from "../chat/editor/chat-key.ts";
import { readEnvironment } from "../environment.ts";
import { displayWidth } from "../render/display-width.ts";
import { initialTop, pressTop, selectedTask, withTasks, type TopIntent, type TopState } from "./top-state.ts";
import { topLines } from "./top-view.ts";

const command = "echo 日本 and more that goes on and on ".repeat(8);
const needsInput = {
  requestId: "r1",
  toolUseId: "t1",
  tool: "Bash",
  title: "Run it",
  since: "2026-01-01T00:00:00Z",
  input: { command: Array.from({ length: 50 }, () => command).join("\n") },
};

function listed(id: string, startedAtMs: number, state: ListedTask["state"]): ListedTask {
  return {
    id,
    description: command,
    cwd: "/p",
    startedAtMs,
    beganAtMs: startedAtMs,
    state,
    lastLine: command,
  };
}

const state = withTasks(initialTop, [
  listed("b3", 3, { status: "running" }),
  listed("b2", 2, { status: "completed", exitCode: 0, endedAt: "2026-01-01T00:00:00Z" }),
  listed("a1", 1, { status: "running", needsInput }),
]);

function press(from: TopState, ...keys: (string | ChatKey)[]): { state: TopState; intents: TopIntent[] } {
  const intents: TopIntent[] = [];
  let now = from;
  for (const key of keys) {
    const pressed = pressTop(now, typeof key === "string" ? { kind: "text", text: key } : key);
    now = pressed.state;
    if (pressed.intent && pressed.intent.kind !== "look") intents.push(pressed.intent);
  }
  return { state: now, intents };
}

describe("pressTop()", () => {
  test("begins with who waits for an answer, and answers the question that is shown", () => {
    expect(selectedTask(state)?.id).toBe("a1");
    expect(press(state, "y").intents).toEqual([
      { kind: "answer", id: "a1", requestId: "r1", isAllowed: true },
    ]);
    expect(press(state, "n").intents).toEqual([
      { kind: "answer", id: "a1", requestId: "r1", isAllowed: false },
    ]);
    const other = press(state, "j", "y");
    expect([other.intents, other.state.message]).toEqual([[], "This task asks nothing."]);
  });

  test("stops only when s is pressed twice for the same task", () => {
    expect(press(state, "s").intents).toEqual([]);
    expect(press(state, "s", "s").intents).toEqual([{ kind: "stop", id: "a1" }]);
    expect(press(state, "s", "j", "s").intents).toEqual([]);
    expect(press(state, "j", "j", "s", "s").state.message).toBe("It has ended.");
  });

  test("keeps the selected one when another begins to ask", () => {
    const alone = withTasks(
      initialTop,
      state.tasks.filter(({ id }) => id === "b3"),
    );
    expect(selectedTask(withTasks(alone, state.tasks))?.id).toBe("b3");
  });

  test("takes no pasted text for an answer or a stop", () => {
    expect(press(state, "yes", "ss", "q\n").intents).toEqual([]);
    expect(selectedTask(press(state, "jj").state)?.id).toBe("b2");
  });

  test("searches by what is typed, and Escape goes back step by step", () => {
    const searched = press(state, "/", "B3", { kind: "enter" });
    expect(selectedTask(searched.state)?.id).toBe("b3");
    const typedAhead = press(state, "/", "B3\rs", "s");
    expect([typedAhead.state.filter, typedAhead.intents, typedAhead.state.armedId]).toEqual(["B3", [], "b3"]);
    // Letters are letters while one types.
    expect(press(state, "/", "q", "s").intents).toEqual([]);
    const followed = press(searched.state, "f", { kind: "escape" }, { kind: "escape" });
    expect([followed.state.isFollowing, followed.state.filter, followed.intents]).toEqual([false, "", []]);
    expect(press(followed.state, { kind: "escape" }).intents).toEqual([{ kind: "leave" }]);
  });
});

test.each([
  [20, 5],
  [60, 16],
  [80, 24],
  [120, 40],
])("topLines() fills %i columns and %i rows, and shows that more is asked than fits", (columns, rows) => {
  const surroundings = { env: {}, cwd: "/p", userHome: "/", stdin: {}, stdout: {}, stderr: {} };
  const environment = readEnvironment(surroundings);
  for (const isFollowing of [false, true]) {
    const lines = topLines({ ...state, isFollowing, said: ["one", "two"] }, { columns, rows, environment });
    expect(lines).toHaveLength(rows);
    expect(lines.filter((line) => displayWidth(line) > columns)).toEqual([]);
    // In a window of a few cells they are cut.
    expect(lines.at(-1)).toMatch(columns < 60 ? /^y allow/ : /^y allow · n deny · .* · q quit$/);
    expect(lines.join("\n")).toMatch(/ … [\d,]+ more/);
  }
});
