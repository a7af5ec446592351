import { expect, test } from "vitest";
import { writeEndedTask } from "../../../test/support/ended-task.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { systemClock } from "../../lib/clock.ts";
import { taskFiles } from "../../tasks/record/task-files.ts";
import { removeTask } from "../../tasks/prune/remove-task.ts";
import type { HealthContext } from "../health-check.ts";
import { quotas } from "./quotas.ts";

test("quotas says what prune would remove, else what it spares because nobody was told", async () => {
  const home = `${tempDir()}/home`;
  const context = { home, clock: systemClock } as HealthContext;
  writeEndedTask(home, { id: "b00untold", second: 1 });
  const told = writeEndedTask(home, { id: "b0000told", second: 2, told: true });
  expect(await quotas.run(context)).toMatchObject({ status: "warn", suggestion: { verb: "prune" } });
  removeTask(home, { files: told });
  expect(await quotas.run(context)).toMatchObject({
    status: "warn",
    summary: "1 ended tasks are too old or too large, and nobody was told of them",
    suggestion: { verb: "prune", args: ["--untold"] },
  });
  removeTask(home, { files: taskFiles(home, { projectKey: told.projectKey, id: "b00untold" }) });
  expect(await quotas.run(context)).toMatchObject({ status: "ok" });
});
