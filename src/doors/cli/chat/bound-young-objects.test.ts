import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { youngObjectsBytesMax } from "./limits.ts";

const file = new URL("./bound-young-objects.ts", import.meta.url).href;
const churn = `
  import v8 from "node:v8";
  import { boundYoungObjects } from ${JSON.stringify(file)};
  let kept = [];
  for (let n = 0; n < 3_000_000; n++) {
    kept.push({ n, list: [n] });
    if (kept.length > 200_000) kept = kept.slice(100_000);
    if (process.argv[1] === "bounded" && n % 10_000 === 0) boundYoungObjects();
  }
  console.log(v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size);
`;

test("boundYoungObjects() keeps the room for young objects at its limit when many are made", () => {
  const roomAfter = (mode: string): number =>
    Number(execFileSync(process.execPath, ["--input-type=module", "-e", churn, mode], { encoding: "utf8" }));
  expect(roomAfter("unbounded")).toBeGreaterThan(1.5 * youngObjectsBytesMax);
  expect(roomAfter("bounded")).toBeLessThan(1.5 * youngObjectsBytesMax);
});
