import { describe, expect, test } from "vitest";
import { taskHome } from "./task-cli.ts";

describe("holdfast output", () => {
  test("waits for the end and gives what TaskOutput gives, which counts as having been told", async () => {
    await using home = taskHome();
    const id = await home.start("--", "echo one; echo two; echo bad >&2; sleep 0.3; exit 3");
    expect(await home.json("output", id)).toEqual({
      schemaVersion: 1,
      retrieval_status: "success",
      shellId: id,
      command: "echo one; echo two; echo bad >&2; sleep 0.3; exit 3",
      status: "failed",
      exitCode: 3,
      stdout: "one\ntwo\n",
      stderr: "bad\n",
      stdoutLines: 2,
      stderrLines: 1,
      timestamp: expect.stringMatching(/Z$/),
    });
    expect(await home.json("notices")).toMatchObject({ notices: [] });
    expect(await home.holdfast("output", id)).toMatchObject({
      code: 0,
      stdout: "one\ntwo\n",
      stderr: "bad\n",
    });
  });

  test("tells not ready, timed out and unknown apart", async () => {
    await using home = taskHome();
    const id = await home.start("--", "echo begun; sleep 60");
    const [ready, late, unknown] = await Promise.all([
      home.holdfast("output", id, "--no-block", "--json"),
      home.holdfast("output", id, "--timeout", "100", "--json"),
      home.holdfast("output", "nothing", "--json"),
    ]);
    expect([ready?.code, late?.code, unknown?.code]).toEqual([0, 124, 3]);
    const answers = [ready, late, unknown].map((each) => JSON.parse(each?.stdout ?? "") as object);
    expect(answers[0]).toMatchObject({ retrieval_status: "not_ready", status: "running", exitCode: null });
    expect(answers[1]).toMatchObject({ retrieval_status: "timeout", status: "running" });
    expect(answers[2]).toMatchObject({ error: { code: "task_not_found" } });
    expect((await home.holdfast("output", id, "--no-block")).stderr).toBe(
      `Task ${id} is running; this is its output so far.\n`,
    );
  });

  test("filters lines, collapses progress, and gives a reader only what is new", async () => {
    await using home = taskHome();
    const id = await home.start("--wait", "--", "printf '10%%\\r20%%\\rdone\\nerror: x\\nfine\\n'");
    const stdout = async (...args: string[]): Promise<string> =>
      (await home.holdfast("output", id, ...args)).stdout;
    expect(await stdout("--filter", "err|fine$")).toBe("error: x\nfine");
    expect(await stdout("--collapse")).toBe("done\nerror: x\nfine\n");
    expect(await stdout("--new", "me")).toContain("fine");
    expect(await stdout("--new", "me")).toBe("");
    expect(await stdout("--new", "you")).toContain("fine");
    expect(await home.holdfast("output", id, "--filter", "(")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^holdfast: Cannot filter by \/\(\/: .+\n$/),
    });
  });
});
