import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { buildWeb } from "../../scripts/build-web.mjs";
import { holdfast } from "../support/run-holdfast.ts";
import { waitFor } from "../support/wait-for.ts";
import { dashboardPages } from "./dashboard-pages.ts";
import { dashboardWorld, type DashboardWorld } from "./dashboard-world.ts";
import { openBrowser } from "./open-browser.ts";
import { startDashboard, type Dashboard } from "./start-dashboard.ts";

// The page, driven in a real browser against the real server with real tasks.

const browser: Browser | undefined = await openBrowser();
const root = fileURLToPath(new URL("../..", import.meta.url));
const axe = fs.readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
if (!browser)
  process.stderr.write("holdfast: SKIPPED, the tests of the dashboard's page: no Chromium is here\n");

describe.skipIf(!browser)("the dashboard", () => {
  let world: DashboardWorld;
  let dashboard: Dashboard;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    if (!fs.existsSync(path.join(root, "dist/web/index.html"))) await buildWeb();
    world = await dashboardWorld();
    dashboard = await startDashboard(world.home);
  }, 180_000);
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
    if (world)
      for (const id of [world.tasks.running, world.tasks.asking])
        await holdfast(["stop", id, "--force"], { home: world.home });
  });

  beforeEach(async () => {
    complaints = [];
    ({ context, page } = await visit());
  });
  afterEach(async () => {
    await context.close();
    expect(complaints).toEqual([]);
  });

  // A browser of its own, let in by the token; every complaint and every request to elsewhere is noted.
  async function visit(
    options: { width?: number; height?: number; url?: string } = {},
  ): Promise<{ context: BrowserContext; page: Page }> {
    const { width = 1440, height = 900, url = dashboard.url } = options;
    const made = await browser!.newContext({ viewport: { width, height } });
    made.setDefaultTimeout(20_000);
    const opened = await made.newPage();
    opened.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    opened.on("pageerror", (error) => complaints.push(String(error)));
    opened.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    opened.on("request", (request) => {
      if (new URL(request.url()).origin !== new URL(url).origin) complaints.push(`request: ${request.url()}`);
    });
    await opened.goto(url);
    await opened.waitForSelector(".rail");
    return { context: made, page: opened };
  }

  const open = async (address: string): Promise<void> => {
    await page.goto(dashboard.origin + address);
  };
  const startAgent = async (name: string, steps: unknown[]): Promise<string> => {
    const file = path.join(world.home.cwd, `${name}.json`);
    fs.writeFileSync(file, JSON.stringify(steps));
    const { stdout } = await holdfast(
      ["agent", name, "--script", file, "--permission", "ask", "--description", name],
      { home: world.home },
    );
    return stdout.trim();
  };
  const statusOf = async (id: string): Promise<string> => {
    const { stdout } = await holdfast(["ps", "-a", "--json"], { home: world.home });
    return (
      (JSON.parse(stdout) as { tasks: { id: string; status: string }[] }).tasks.find((task) => task.id === id)
        ?.status ?? "gone"
    );
  };

  test("shows every page, without a complaint, and axe finds nothing", { timeout: 240_000 }, async () => {
    const found: string[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      for (const { name, path: address, shown } of dashboardPages(world)) {
        await open(address);
        await page.waitForSelector(shown);
        await page.evaluate(axe);
        const violations = await page.evaluate(async () => {
          const { axe: runner } = globalThis as unknown as {
            axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
          };
          const { violations: all } = await runner.run();
          return all.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)}`);
        });
        found.push(...violations.map((violation) => `${colorScheme} ${name} ${violation}`));
      }
    }
    expect(found).toEqual([]);
  });

  test("allows a question of an agent, once it is armed", async () => {
    const id = await startAgent("Allow me", [{ run: "echo allowed" }, { text: "Thanks." }]);
    const card = page.locator(".question", { hasText: "Allow me" });
    await card.getByRole("button", { name: "Allow once" }).click();
    await card.getByText(/Allowed by you/).waitFor();
    await waitFor(async () => (await statusOf(id)) === "completed");
  });

  test("denies a question with a reason, by keys alone", async () => {
    const id = await startAgent("Deny me", [{ run: "echo denied" }, { text: "Then not." }]);
    await open(`/tasks/${id}`);
    const card = page.locator(".question");
    await card.getByRole("button", { name: "Allow once" }).and(page.locator(":enabled")).waitFor();
    await page.keyboard.press("d");
    await page.keyboard.type("Not on this machine");
    await page.keyboard.press("Enter");
    await card.getByText(/Denied by you/).waitFor();
    await waitFor(async () => (await statusOf(id)) === "completed");
    const { stdout } = await holdfast(["logs", id], { home: world.home });
    expect(stdout).toContain("Then not.");
  });

  test("shows the rule before it always allows", async () => {
    const id = await startAgent("Always me", [{ run: "echo one" }, { run: "echo one" }, { text: "Both." }]);
    const card = page.locator(".question", { hasText: "Always me" });
    await card.getByRole("button", { name: "Always …" }).click();
    await card.getByText("echo one").last().waitFor();
    await card.getByRole("button", { name: "Always allow this" }).click();
    await waitFor(async () => (await statusOf(id)) === "completed");
  });

  test("shows who was faster when a question is answered elsewhere", async () => {
    const id = await startAgent("Faster", [{ run: "echo elsewhere" }, { text: "Ok." }]);
    const card = page.locator(".question", { hasText: "Faster" });
    await card.waitFor();
    const request = await card.getAttribute("data-request");
    await holdfast(["approve", id, "--request", request!, "--yes"], { home: world.home });
    await card.getByText(/Allowed by .*terminal/).waitFor();
  });

  test("shows an output as it grows, follows only at the end, and finds in all of it", async () => {
    await open(`/tasks/${world.tasks.running}`);
    const lines = page.locator(".output-line");
    await lines.first().waitFor();
    const newest = async (): Promise<number> =>
      Number(
        /test (\d+)/.exec((await lines.allTextContents()).findLast((text) => text !== "") ?? "")?.[1] ?? 0,
      );
    const before = await waitFor(async () => (await newest()) > 0 && newest());
    await waitFor(async () => (await newest()) > before);
    expect(await page.locator(".output-line .fg-2").count()).toBeGreaterThan(0);
    // Whoever reads further up is left there.
    await waitFor(
      async () =>
        (await page.locator(".output .virtual-list").evaluate((box) => box.scrollHeight - box.clientHeight)) >
        200,
    );
    await page.locator(".output .virtual-list").hover();
    await page.mouse.wheel(0, -150);
    const pill = page.locator(".pill");
    await pill.waitFor();
    const top = await page.locator(".output .virtual-list").evaluate((box) => box.scrollTop);
    const unread = await pill.textContent();
    await waitFor(async () => (await pill.textContent()) !== unread);
    expect(await page.locator(".output .virtual-list").evaluate((box) => box.scrollTop)).toBe(top);
    await pill.click();
    await pill.waitFor({ state: "detached" });
    await page.getByRole("searchbox", { name: "Find in the output" }).fill("test 3 of");
    await page.getByText("1 of 1").waitFor();
    await page.locator(".output-line.is-found", { hasText: "test 3 of" }).waitFor();
  });

  test("starts a command, stops it with a reason and starts it once more", async () => {
    await page.getByRole("textbox", { name: /Prompt for an agent/ }).fill("!echo from the page; sleep 500");
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("button", { name: "Open" }).click();
    await page.locator(".output-line", { hasText: "from the page" }).waitFor();
    const id = new URL(page.url()).pathname.split("/")[2]!;
    await page.keyboard.press("s");
    await page.getByLabel("Why (others see it)").fill("it was only a test");
    await page.getByRole("dialog").getByRole("button", { name: "Stop", exact: true }).click();
    await page.locator(".ending", { hasText: "it was only a test" }).waitFor();
    expect(await statusOf(id)).toBe("stopped");
    await page.getByRole("button", { name: "Restart" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restart", exact: true }).click();
    await waitFor(() => !page.url().includes(id));
    await page.locator(".output-line", { hasText: "from the page" }).waitFor();
    await holdfast(["stop", new URL(page.url()).pathname.split("/")[2]!], { home: world.home });
    await page.locator(".ending", { hasText: "stopped" }).waitFor();
  });

  test("reads a long conversation: from its end, by prompts, by words, by a link to a message", async () => {
    await open(`/sessions/${world.longSession}`);
    await page.getByText("Prompt number 300").waitFor();
    await page.getByText("Read 1 · Grep 1").first().waitFor();
    await page.locator(".conversation .virtual-list").focus();
    await page.keyboard.press("[");
    await page
      .getByText(/Prompt number 29\d/)
      .first()
      .waitFor();
    await page.getByRole("searchbox", { name: "Find in the conversation" }).fill("xyzzy");
    await page.locator(".said-row.is-marked", { hasText: "xyzzy" }).waitFor();
    const uuid = await page.locator(".said-row.is-marked").getAttribute("data-uuid");
    await open(`/sessions/${world.longSession}#e=${uuid}`);
    await page.locator(".said-row.is-marked", { hasText: "xyzzy" }).waitFor();
    expect(await page.locator("*").count()).toBeLessThan(1500);
  });

  test("forks a session, renames it, throws it away and takes it back", async () => {
    await open(`/sessions/${world.markdownSession}`);
    await page.getByRole("heading", { name: "The total of the cart" }).waitFor();
    await page.keyboard.press("F");
    await page.getByRole("textbox", { name: "Title" }).fill("Another way");
    await page.getByRole("dialog").getByRole("button", { name: "Fork", exact: true }).click();
    await page.getByRole("heading", { name: "Another way" }).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Rename …" }).click();
    await page.getByRole("textbox", { name: "Title" }).fill("A third way");
    await page.getByRole("dialog").getByRole("button", { name: "Rename", exact: true }).click();
    await page.getByRole("heading", { name: "A third way" }).waitFor();
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Move to the trash …" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move to the trash", exact: true }).click();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("heading", { name: "A third way" }).waitFor();
  });

  test("goes anywhere by keys", async () => {
    await page.keyboard.press("?");
    const keys = page.getByRole("dialog", { name: "Keys" });
    await keys.waitFor();
    await page.keyboard.press("Escape");
    await keys.waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await page.keyboard.press("t");
    await page.waitForURL("**/tasks");
    await page.locator("a.task-row").first().waitFor();
    await page.keyboard.press("j");
    await page.keyboard.press("j");
    await waitFor(async () => page.evaluate("document.activeElement.matches('a.task-row')"));
    await page.keyboard.press("Enter");
    await page.waitForURL("**/tasks/*");
    await page.keyboard.press("Control+k");
    const words = page.getByRole("combobox", { name: "Go to a page, a task, a session" });
    await words.fill("doctor");
    await page.getByRole("option", { name: "Doctor", selected: true }).waitFor();
    await words.press("Enter");
    await page.waitForURL("**/doctor");
    await page.keyboard.press("n");
    await page.waitForURL(`**/tasks/${world.tasks.asking}`);
  });

  test("finds what was said and leads to the message", async () => {
    await open("/search");
    await page.getByRole("searchbox").fill("xyzzy");
    await page.locator(".hit", { hasText: "xyzzy" }).first().click();
    await page.locator(".said-row.is-marked", { hasText: "xyzzy" }).waitFor();
  });

  test("fits a phone: one pane, and back", async () => {
    await context.close();
    ({ context, page } = await visit({ width: 390, height: 800 }));
    await open("/tasks");
    await page.locator(`a[data-task="${world.tasks.failed}"]`).click();
    await page.locator(".ending").waitFor();
    expect(await page.locator(".pane.is-list").isVisible()).toBe(false);
    await page.getByRole("link", { name: "Back to the tasks" }).click();
    await page.locator("a.task-row").first().waitFor();
    for (const { path: address, shown } of dashboardPages(world)) {
      await open(address);
      await page.waitForSelector(shown);
      expect([address, await page.evaluate("document.documentElement.scrollWidth")]).toEqual([address, 390]);
    }
  });

  test("goes on by itself after it was offline", async () => {
    await open("/tasks");
    await page.locator("a.task-row").first().waitFor();
    await context.setOffline(true);
    const { stdout } = await holdfast(["run", "--name", "while-away", "echo away"], { home: world.home });
    await context.setOffline(false);
    await page.locator(`a[data-task="${stdout.trim()}"]`).waitFor();
    forgetRefusals();
  });

  test("goes on by itself after the server was killed and started anew", { timeout: 120_000 }, async () => {
    await context.close();
    let own = await startDashboard(world.home);
    try {
      ({ context, page } = await visit({ url: own.url }));
      await page.goto(`${own.origin}/tasks`);
      await page.locator("a.task-row").first().waitFor();
      const { port } = own;
      await own.kill();
      await page.getByText("No connection to the server").waitFor();
      const { stdout } = await holdfast(["run", "--name", "while-dead", "echo dead"], { home: world.home });
      own = await startDashboard(world.home, { port });
      await page.locator(`a[data-task="${stdout.trim()}"]`).waitFor();
      await page.getByText("No connection to the server").waitFor({ state: "detached" });
    } finally {
      await context.close();
      forgetRefusals();
      await own.kill();
    }
  });

  // The browser itself complains of requests that fail, as it should.
  function forgetRefusals(): void {
    complaints = complaints.filter((complaint) => !complaint.includes("Failed to load resource"));
  }

  test("two tabs of a browser share one stream, and the other goes on when the first is closed", async () => {
    const second = await context.newPage();
    const streams: string[] = [];
    second.on("request", (request) => request.url().includes("/api/events") && streams.push(request.url()));
    await second.goto(`${dashboard.origin}/tasks`);
    await second.locator("a.task-row").first().waitFor();
    const started = async (name: string): Promise<string> =>
      (await holdfast(["run", "--name", name, `echo ${name}`], { home: world.home })).stdout.trim();
    await second.locator(`a[data-task="${await started("one-tab")}"]`).waitFor();
    expect(streams.filter((url) => !url.includes("watch"))).toEqual([]);
    await page.close();
    await second.locator(`a[data-task="${await started("other-tab")}"]`).waitFor();
    page = second;
  });
});
