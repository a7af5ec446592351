// What people see in a browser, kept to be looked at: `npm run screens:web` takes every page at three widths in both themes.
//   take-web-screens.ts FOLDER [NAME…]
import fs from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { buildWeb } from "../../scripts/build-web.mjs";
import { holdfast } from "../support/run-holdfast.ts";
import { removeTempDirs } from "../support/temp-dir.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { dashboardWorld } from "./dashboard-world.ts";
import { findOrInstallChromium } from "../../scripts/find-chromium.mjs";
import { openBrowser } from "./open-browser.ts";
import { startDashboard } from "./start-dashboard.ts";

const [folder, ...wanted] = process.argv.slice(2) as [string, ...string[]];
const sizes = [
  { width: 390, height: 800 },
  { width: 1000, height: 800 },
  { width: 1440, height: 900 },
];

fs.mkdirSync(folder, { recursive: true });
await buildWeb();
const browser = await openBrowser(findOrInstallChromium());
if (!browser) throw new Error("Cannot take pictures: no Chromium is here; name one in HOLDFAST_CHROMIUM");
const world = await dashboardWorld();
const dashboard = await startDashboard(world.home);
try {
  for (const viewport of sizes)
    for (const colorScheme of ["light", "dark"] as const) {
      const context = await browser.newContext({ viewport, colorScheme, reducedMotion: "reduce" });
      const page = await context.newPage();
      await page.goto(dashboard.url);
      await page.waitForSelector(".rail");
      for (const { name, path: address, shown } of dashboardPages(world)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        await page.goto(dashboard.origin + address);
        await page.waitForSelector(shown);
        // Until what comes later is there as well: colours, costs.
        await setTimeout(400);
        await page.screenshot({ path: path.join(folder, `${name}-${viewport.width}-${colorScheme}.png`) });
      }
      await context.close();
    }
} finally {
  await browser.close();
  await dashboard.kill();
  for (const id of [world.tasks.running, world.tasks.asking])
    await holdfast(["stop", id, "--force"], { home: world.home });
  removeTempDirs("file");
}
