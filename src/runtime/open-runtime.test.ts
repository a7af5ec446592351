import path from "node:path";
import { expect, test } from "vitest";
import { basicEnv } from "../../test/support/task-world.ts";
import { tempDir } from "../../test/support/temp-dir.ts";
import { openRuntime } from "./open-runtime.ts";

test("openRuntime() keeps the news of a session that a program holds for that program", async () => {
  const cwd = tempDir();
  await using runtime = openRuntime({ home: tempDir(), configDir: tempDir(), env: basicEnv });
  const { tasks, sessions } = runtime;
  const task = await tasks.start({ command: "true", cwd, sessionId: "mine" });
  await tasks.wait(task);
  const { id } = task.record;
  const seenBy = async (sessionId: string): Promise<string[][]> => [
    (await tasks.notices({ sessionId, cwd })).map(({ taskId }) => taskId),
    (await runtime.recover({ sessionId, cwd })).finishedUnseen.map((item) => item.id),
  ];
  const held = async (): Promise<unknown> => ({ mine: await seenBy("mine"), other: await seenBy("other") });
  const everybody = { mine: [[id], [id]], other: [[id], [id]] };
  expect(await held()).toEqual(everybody);
  const writer = await sessions.openWriter({ cwd, sessionId: "mine" });
  expect(await held()).toEqual({ mine: [[id], [id]], other: [[], []] });
  await writer.close();
  expect(await held()).toEqual(everybody);
  const attendance = await sessions.attend("mine");
  expect(await held()).toEqual({ mine: [[id], [id]], other: [[], []] });
  attendance.release();
  expect(await held()).toEqual(everybody);
});

test("openRuntime() takes folders from where the process is, and the user's own for those that are not named", async () => {
  const [dir, userHome] = [tempDir(), tempDir()];
  const env = { ...basicEnv, HOLDFAST_HOME: userHome };
  await using runtime = openRuntime({ home: path.relative("", dir), configDir: path.relative("", dir), env });
  expect([runtime.home, runtime.configDir]).toEqual([dir, dir]);
  // Its supervisor works in another folder.
  const task = await runtime.tasks.start({ command: "echo there", cwd: "/" });
  expect(await runtime.tasks.wait(task, { timeoutMs: 30_000 })).toMatchObject({ status: "completed" });
  // @ts-expect-error As a program without types may call it.
  expect(openRuntime({ home: undefined, env }).home).toBe(userHome);
});
