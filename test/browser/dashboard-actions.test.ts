import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { homeWithEdits, type EditedHome } from "../support/session-with-edits.ts";
import { openBrowser } from "./open-browser.ts";
import { startDashboard, type Dashboard } from "./start-dashboard.ts";

// What the page changes, seen where it was changed: in files.

const browser = await openBrowser();
if (!browser)
  process.stderr.write("holdfast: SKIPPED, actions of the dashboard's page: no Chromium is here\n");

describe.skipIf(!browser)("the page", () => {
  let edited: EditedHome;
  let dashboard: Dashboard;
  let page: Page;

  beforeAll(async () => {
    edited = homeWithEdits();
    dashboard = await startDashboard(edited.home);
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
  });
  beforeEach(async () => {
    page = await browser!.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(dashboard.url);
    await page.waitForSelector(".rail");
    return () => page.close();
  });

  const choose = async (item: string): Promise<void> => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: item }).click();
  };
  const confirm = (action: string): Promise<void> =>
    page.getByRole("dialog").getByRole("button", { name: action, exact: true }).click();
  const openSession = async (): Promise<void> => {
    await page.goto(`${dashboard.origin}/sessions/${edited.sessionId}`);
    await page.locator(".answer").waitFor();
  };

  test("offers the demo on an empty home, which shows within seconds", async () => {
    await page.getByRole("button", { name: "Start the demo tasks" }).waitFor();
  });

  test("saves a setting after it has shown its command", async () => {
    await page.goto(`${dashboard.origin}/settings`);
    await page.getByLabel("Value of permission").selectOption("rules");
    await page.getByText("holdfast config set permission rules").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("permission is rules").waitFor();
    const saved = fs.readFileSync(path.join(edited.home.home, "config.json"), "utf8");
    expect(JSON.parse(saved)).toMatchObject({ permission: "rules" });
  });

  test("puts files back to before a prompt, and says first which", async () => {
    await openSession();
    await page.locator(".prompt").hover();
    await page.getByRole("button", { name: "What to do at this message" }).first().click();
    await page.getByRole("menuitem", { name: "Put files back to before this …" }).click();
    await page.getByRole("dialog").getByText(edited.edited).first().waitFor();
    await confirm("Put back");
    await page.getByText(/what they held is in/).waitFor();
    expect(fs.readFileSync(edited.edited, "utf8")).toBe("old\n");
    expect(fs.existsSync(edited.made)).toBe(false);
  });

  test("tags a session, finds it by its tag, and exports it", async () => {
    await openSession();
    await choose("Tag …");
    await page.getByRole("textbox", { name: "Tag" }).fill("later");
    await confirm("Tag");
    await page.getByText("Tagged later").waitFor();
    await page.goto(`${dashboard.origin}/sessions?tag=later`);
    await page.locator(`a[data-session="${edited.sessionId}"]`).waitFor();
    await openSession();
    await page.getByRole("button", { name: "More actions" }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("menuitem", { name: "Export as Markdown" }).click(),
    ]);
    expect(fs.readFileSync(await download.path(), "utf8")).toContain("Change it");
  });

  test("archives a session, which can still be read, and restores it", async () => {
    await openSession();
    await choose("Archive …");
    await confirm("Archive");
    await page.getByText("Archived", { exact: true }).waitFor();
    await openSession();
    await choose("Restore from the archive");
    await page.getByText("Restored").waitFor();
    await openSession();
  });
});
