import { expect, test } from "vitest";
import { waitFor } from "../support/index.ts";
import { dashboardWorld } from "../support/dashboard-world.ts";
import { testHome } from "../support/run-holdfast.ts";
import { canMount, fillDisk, freeDisk, remountDisk, smallDisk } from "../support/small-disk.ts";

const isMountable = canMount();

test.skipIf(!isMountable)(
  "on a disk that is full, and then read-only, everything is shown, what would be written is refused, and nothing is lost",
  async () => {
    using disk = smallDisk(16_384);
    const home = { ...testHome(), home: `${disk.dir}/home` };
    await using world = await dashboardWorld({ home });
    const { runtime } = world;
    const waiting = { kind: "command", command: "read -r x; echo $x", cwd: home.cwd, stdin: true };
    const { task } = await world.ask("POST /api/start", { body: waiting });
    const shown = async (): Promise<string[]> =>
      (await world.ask("GET /api/tasks")).tasks.map(({ id, status }) => `${id} ${status}`);
    await waitFor(async () => (await shown()).includes(`${task.id} running`));
    const start = async (): Promise<number> =>
      (await world.request("/api/start", { body: { ...waiting, command: "true" } })).status;

    fillDisk(disk.dir, { leave: 0 });
    expect(await start()).toBe(503);
    expect(await shown()).toEqual([`${task.id} running`]);
    expect((await world.ask("GET /api/now")).counts).toMatchObject({ running: 1 });
    // What it prints is lost, how it ends is not: its room was taken when it started.
    await world.ask("POST /api/tasks/{id}/send", { path: { id: task.id }, body: { text: "x\n" } });
    await waitFor(async () => (await shown()).some((each) => /completed|failed/.test(each)));

    freeDisk(disk.dir);
    expect(await start()).toBe(200);
    await waitFor(async () => (await runtime.tasks.list()).length === 0);
    await waitFor(() => remountDisk(disk.dir, "ro"));
    expect(await start()).toBe(503);
    expect(await shown()).toHaveLength(2);
    expect((await world.request("/api/demo", { body: {} })).status).toBe(503);
    remountDisk(disk.dir, "rw");
    expect(await start()).toBe(200);
  },
);
