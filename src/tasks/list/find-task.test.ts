import { expect, test } from "vitest";
import { writeEndedTask } from "../../../test/support/ended-task.ts";
import { tempDir } from "../../../test/support/temp-dir.ts";
import { findTask } from "./find-task.ts";

const TEN_YEARS = 10 * 366 * 24 * 60 * 60;

test("findTask() takes no task for the newest that was started while the clock was ahead", () => {
  const home = `${tempDir()}/home`;
  const add = (id: string, second: number): void => void writeEndedTask(home, { id, second, name: "build" });
  add("bfuture01", TEN_YEARS);
  expect(findTask(home, "@last").record.id).toBe("bfuture01");
  add("bfuture02", TEN_YEARS + 1);
  expect(findTask(home, "build").record.id).toBe("bfuture02");
  add("bearlier1", 1);
  add("bearlier2", 2);
  expect(findTask(home, "@last").record.id).toBe("bearlier2");
  expect(findTask(home, "build").record.id).toBe("bearlier2");
});
