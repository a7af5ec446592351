import { describe, expect, test } from "vitest";
import { buildTaskNotification } from "../../src/format/task-notification.ts";
import { run } from "../e2e/cli.ts";
import { reportAttack } from "./attack-size.ts";
import { hostileHome, hostiles, sameWork, sessionId, tags, unseen } from "./hostile-home.ts";

// Every producer of text says something hostile; every consumer is looked at.

const forTerminals = [
  "sessions",
  `show ${sessionId}`,
  "usage",
  "usage --by model",
  "usage --by session",
  "search obey",
  "recover",
  "recover --brief",
  "ps -a",
  "notices",
  `todos ${sessionId}`,
  `files ${sessionId}`,
  "doctor",
  "archive list",
  `export ${sessionId} --format md`,
];

describe("text from elsewhere", () => {
  test.each(hostiles)(
    "reaches a terminal, a page and a model only clean: %j",
    { timeout: 300_000 },
    async (hostile) => {
      const home = hostileHome(hostile);
      await run(
        [
          "run",
          "--wait",
          "--name",
          "x",
          "--description",
          hostile.replaceAll("\0", ""),
          "--",
          "printf",
          "%s",
          hostile,
        ],
        { home },
      );
      let reached = 0;
      const check = (what: string, text: string, patterns: RegExp[]): void => {
        reached += text.includes("obey") ? 1 : 0;
        for (const pattern of patterns) expect([what, pattern.exec(text)?.[0]]).toEqual([what, undefined]);
      };
      for (const command of forTerminals) {
        const words = command.split(" ");
        const [shown, json] = await Promise.all([run(words, { home }), run([...words, "--json"], { home })]);
        check(command, shown.stdout + shown.stderr, [unseen]);
        check(`${command} --json`, json.stdout, [unseen]);
      }
      check("html", (await run(["export", sessionId, "--format", "html"], { home })).stdout, [
        unseen,
        /<(?:img|script|system-reminder)/i,
      ]);
      const forModels = [/\n- forged/, unseen, tags];
      check("recover --brief", (await run(["recover", "--brief"], { home })).stdout, forModels);
      const { text: command } = sameWork(home.cwd);
      const pretool = { tool_name: "Bash", tool_input: { command, run_in_background: true } };
      const warned = await home.told("PreToolUse", pretool);
      expect(warned).toContain("obey");
      check("PreToolUse", warned, forModels);
      check("SessionStart", await home.told("SessionStart", { source: "startup" }), forModels);
      check("UserPromptSubmit", await home.told("UserPromptSubmit", { prompt: "x" }), forModels);
      const notice = buildTaskNotification({
        taskId: "b00000001",
        status: "completed",
        toolUseId: hostile,
        outputFile: hostile,
        summary: hostile,
        note: hostile,
        result: hostile,
      });
      check("notification", notice.replace(/<\/?(?:task-notification|result)>/g, ""), [unseen, tags]);
      expect(notice.match(/<\/?(?:task-notification|result)>/g)).toHaveLength(4);
      expect(reached).toBeGreaterThan(15);
      reportAttack("texts", { "consumers reached": reached });
    },
  );
});
