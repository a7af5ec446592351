import { describe, expect, test } from "vitest";
import { playing } from "../e2e/chat-terminal.ts";
import type { CommandOnTerminal } from "../e2e/task-cli.ts";
import { reportAttack } from "./attack-size.ts";
import { hostileHome, hostiles, ownControls, sessionId, unseen } from "./hostile-home.ts";

// What the chat asks and lays over its conversation, and what it takes up again; approve, deny and attach beside it.

describe("text in the chat", () => {
  test.each(hostiles)(
    "reaches its questions and overlays only clean: %j",
    { timeout: 120_000 },
    async (hostile) => {
      await using home = hostileHome(hostile);
      let reached = 0;
      const clean = (what: string, terminal: CommandOnTerminal): void => {
        const text = terminal.screen.replace(ownControls, "");
        expect([what, text.includes("obey"), unseen.exec(text)?.[0]]).toEqual([what, true, undefined]);
        reached++;
      };
      const open = async (words: string[], begin: string | RegExp): Promise<CommandOnTerminal> => {
        const chat = home.spawnOnTerminal(["chat", ...words], { columns: 120, rows: 40 });
        await chat.shows(begin);
        return chat;
      };
      const say = async (chat: CommandOnTerminal, text: string, shows: string | RegExp): Promise<void> => {
        chat.type(text);
        await chat.shows(text);
        chat.type("\r");
        await chat.shows(shows);
      };
      const leave = async (chat: CommandOnTerminal): Promise<void> => {
        // The first closes an overlay, if there is one.
        chat.type("\u0003");
        chat.type("\u0004");
        expect(await chat.ended()).toBe(0);
      };
      const command = `echo first ${hostile.replaceAll("\0", "")}; echo last words`;
      const script = playing({
        hello: [{ run: command }, { text: "All is said." }],
        "Look obey": [{ text: hostile }, { run: command }, { text: "Done." }],
      });

      const asking = await open([...script, "--permission", "ask"], "Ask anything");
      await say(asking, "hello", "May Bash do this?");
      // All of it is there to be judged, behind whatever escape it stands.
      await asking.shows("last words");
      if (hostile.includes("owned")) await asking.shows("owned");
      asking.type("n");
      await asking.shows("All is said.");
      clean("a question", asking);

      await home.start("--description", hostile, "--", "sh", "-c", `printf '%s\\n' "$0"; sleep 600`, hostile);
      const agent = (
        await home.holdfast("agent", ...script, "--permission", "ask", "--description", hostile, "Look obey")
      ).stdout.trim();
      await asking.shows(/needs input/);
      await say(asking, "/tasks", "Enter opens it");
      clean("/tasks", asking);
      asking.type("\r");
      await asking.shows("any other key goes back");
      asking.type("x");
      asking.type("\u001b[B");
      asking.type("\r");
      await asking.shows("y allow · n deny · a always · s stops it");
      asking.type("x");
      clean("a look at tasks", asking);
      await leave(asking);
      clean("the farewell", asking);

      const resuming = await open(script, "Ask anything");
      await say(resuming, "/resume", "Enter continues it");
      clean("/resume", resuming);
      await leave(resuming);
      const resumed = await open([...script, "--resume", sessionId], "obey");
      await resumed.shows("❯ ");
      await leave(resumed);
      clean("a resumed session", resumed);

      for (const words of [
        ["inspect", agent],
        ["approve", agent],
        ["deny", agent],
      ]) {
        const terminal = home.spawnOnTerminal(words, { columns: 200, rows: 50 });
        if (words[0] === "approve" || words[0] === "deny") {
          await terminal.shows(/last words[\s\S]*\?/);
          terminal.type("n\r");
        }
        await terminal.ended();
        clean(words.join(" "), terminal);
      }

      // What the program has printed before is shown clean, and a title that it began does not swallow what follows.
      const program = `printf '%s\\n' "$0"; read -r line; printf '\\033]0;half a title'; read -r line`;
      const tty = await home.start("--tty", "--", "sh", "-c", program, hostile);
      const printed = home.spawnOnTerminal(["logs", "-f", tty]);
      await printed.shows("obey");
      printed.type("\u0003");
      await printed.ended();
      const attached = home.spawnOnTerminal(["attach", tty], { columns: 120, rows: 40 });
      await attached.shows(`Attached to ${tty}`);
      await attached.shows("obey");
      clean("attach", attached);
      attached.type("\r");
      await attached.shows("half a title");
      attached.type("\u001d");
      expect(await attached.ended()).toBe(0);
      expect(attached.screen).toMatch(/half a title\u001b\\[\s\S]*Left \w+ running/);
      reportAttack("texts in the chat", { "consumers reached": reached });
    },
  );
});
