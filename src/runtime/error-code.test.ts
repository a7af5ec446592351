import fs from "node:fs";
import { expect, test } from "vitest";
import { runnerErrorCodes } from "../agents/runners/errors.ts";
import { conversationErrorCodes } from "../conversation/errors.ts";
import { cliErrorCodes } from "../doors/cli/errors.ts";
import { mcpErrorCodes } from "../doors/mcp/errors.ts";
import { serverErrorCodes } from "../doors/server/errors.ts";
import { fleetErrorCodes } from "../fleet/errors.ts";
import { healthErrorCodes } from "../health/errors.ts";
import { recoveryErrorCodes } from "../recovery/errors.ts";
import { searchErrorCodes } from "../search/errors.ts";
import { storeErrorCodes } from "../store/errors.ts";
import { taskErrorCodes } from "../tasks/errors.ts";
import { usageErrorCodes } from "../usage/errors.ts";
import type { HoldfastErrorCode } from "./error-code.ts";

test("HoldfastErrorCode has every code of docs/errors.md but those of the doors", () => {
  const thrown = [
    "conflict",
    "invalid_name",
    "unsafe_path",
    ...conversationErrorCodes,
    ...fleetErrorCodes,
    ...healthErrorCodes,
    ...recoveryErrorCodes,
    ...runnerErrorCodes,
    ...searchErrorCodes,
    ...storeErrorCodes,
    ...taskErrorCodes,
    ...usageErrorCodes,
  ] as const satisfies readonly HoldfastErrorCode[];
  // Compiles only if the type has no other.
  const isListed = (code: HoldfastErrorCode): code is (typeof thrown)[number] => thrown.includes(code);
  const page = fs.readFileSync(new URL("../../docs/errors.md", import.meta.url), "utf8");
  const listed = [...page.matchAll(/^\| `(\w+)` *\|/gm)].map(([, code]) => code!);
  const ofDoors = new Set<string>([...cliErrorCodes, ...mcpErrorCodes, ...serverErrorCodes]);
  expect(listed.filter((code) => !ofDoors.has(code)).toSorted()).toEqual(thrown.filter(isListed).toSorted());
});
