import { describe, expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { taskHome } from "./task-cli.ts";

describe("holdfast send", () => {
  test("gives a task a line, or a key without Enter", async () => {
    await using home = taskHome();
    const id = await home.start("--stdin", "--", 'read a; read b; echo "$a-$b"');
    await home.holdfast("send", id, "grüße");
    expect(await home.json("send", id, "o", "--no-newline")).toMatchObject({ id, bytes: 1 });
    await home.holdfast("send", id, "k");
    expect((await home.holdfast("wait", id)).code).toBe(0);
    expect((await home.holdfast("logs", id)).stdout).toBe("grüße-ok\n");
    expect(await home.holdfast("send", id, "late")).toMatchObject({
      code: 1,
      stderr: `holdfast: Cannot send to task "${id}": it has ended\nInput needs a running task that was started with --stdin or --tty.\n`,
    });
  });

  test("reaches a terminal that is just being opened", async () => {
    await using home = taskHome();
    const id = await home.start("--tty", "--", "read line; echo got $line");
    expect((await home.holdfast("send", id, "this")).code).toBe(0);
    expect((await home.holdfast("output", id)).stdout).toContain("got this");
  });
});

describe("holdfast attach", () => {
  test("sits at the program's terminal, follows a resize, and is left with Ctrl+]", async () => {
    await using home = taskHome();
    const id = await home.start("--tty", "--name", "shell", "--", "PS1='% ' sh -i");
    const terminal = home.spawnOnTerminal(["attach", "shell"], { columns: 90, rows: 20 });
    await terminal.shows(`Attached to ${id}. Ctrl+] detaches and leaves it running.`);
    await terminal.shows("% ");
    const hasSize = (size: string): Promise<unknown> =>
      waitFor(() => {
        terminal.type("stty size\r");
        return terminal.screen.includes(size);
      });
    await hasSize("20 90");
    terminal.resize({ columns: 70, rows: 15 });
    await hasSize("15 70");
    terminal.type("printf '\\033[?2004h\\033[?25l'\r");
    await terminal.shows("\u001b[?2004h\u001b[?25l");
    terminal.type("echo typed before\r\u001d");
    expect(await terminal.ended()).toBe(0);
    // The modes that the program had set are set back.
    expect(terminal.screen).toMatch(/\u001b\[\?25h\u001b\[\?2004l/);
    expect(terminal.screen).toContain(`Left ${id} running. Come back: holdfast attach ${id}`);
    const again = home.spawnOnTerminal(["attach", id]);
    await again.shows("typed before");
    again.type("exit 6\r");
    expect(await again.ended()).toBe(6);
    expect(again.screen).toContain(`Task ${id} failed (exit code 6).`);
  });

  test("says why it cannot", async () => {
    await using home = taskHome();
    const plain = await home.start("--", "sleep 60");
    const ended = await home.start("--tty", "--wait", "--", "true");
    const running = await home.start("--tty", "--", "sleep 60");
    const said = async (id: string): Promise<[number | null, string]> => {
      const { code, stderr } = await home.holdfast("attach", id);
      return [code, stderr.split("\n")[0] ?? ""];
    };
    expect(await said(plain)).toEqual([
      1,
      `holdfast: Cannot attach to task "${plain}": it has no terminal; follow it with holdfast logs ${plain} -f`,
    ]);
    expect(await said(ended)).toEqual([
      1,
      `holdfast: Cannot attach to task "${ended}": it has ended; read it with holdfast logs ${ended}`,
    ]);
    expect(await said(running)).toEqual([2, "holdfast: Cannot attach: this is not a terminal"]);
  });
});
