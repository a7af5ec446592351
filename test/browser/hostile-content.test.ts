import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { holdfast, testHome, type TestHome } from "../support/run-holdfast.ts";
import { TranscriptBuilder } from "../support/transcript-builder.ts";
import { openBrowser } from "./open-browser.ts";
import { startDashboard, type Dashboard } from "./start-dashboard.ts";

// What a task or a transcript contains can neither run, style, navigate nor load.

const browser = await openBrowser();
if (!browser)
  process.stderr.write("holdfast: SKIPPED, hostile content in the dashboard's page: no Chromium is here\n");

const HTML = `<script>window.hacked = 1</script><img src=x onerror="window.hacked = 2"><style>body { display: none }</style><meta http-equiv=refresh content="0;url=/fleet">`;
const MARKDOWN = `${HTML}

[click](javascript:window.hacked=3) [data](data:text/html,<script>alert(1)</script>) ![image](https://tracker.example/pixel.png)

\`\`\`html"><script>window.hacked=4</script>
${HTML}
\`\`\`

| <b onclick="window.hacked=5">a</b> |
| --- |
| \u202Etxt.exe\u202C |
`;

describe.skipIf(!browser)("hostile content", () => {
  let home: TestHome;
  let dashboard: Dashboard;
  let sessionId: string;
  let taskId: string;

  beforeAll(async () => {
    home = testHome();
    const session = new TranscriptBuilder({ cwd: home.cwd, seed: "hostile" });
    session.prompt(MARKDOWN);
    session.callTools({
      name: HTML,
      input: { command: HTML, [HTML]: HTML },
      result: `\x1b]0;evil\x07${HTML}${"x".repeat(2_000_000)}`,
    });
    session.reply(MARKDOWN);
    session.meta("custom-title", { customTitle: HTML });
    ({ sessionId } = session.write(home.configDir));
    const { stdout } = await holdfast(
      [
        "run",
        "--name",
        "hostile",
        "--description",
        HTML,
        `printf '%s\\033]0;evil\\007\\033[2J' '${HTML.replaceAll("'", "")}'`,
      ],
      { home },
    );
    taskId = stdout.trim();
    await holdfast(["wait", taskId], { home });
    dashboard = await startDashboard(home);
  });
  afterAll(async () => {
    await browser?.close();
    await dashboard?.kill();
  });

  test("is shown as text on every page that has it", async () => {
    const complaints: string[] = [];
    const page = await browser!.newPage();
    page.on("dialog", (dialog) => complaints.push(`dialog: ${dialog.message()}`));
    page.on("pageerror", (error) => complaints.push(String(error)));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    page.on("request", (request) => {
      if (new URL(request.url()).origin !== dashboard.origin) complaints.push(request.url());
    });
    await page.goto(dashboard.url);
    await page.waitForSelector(".rail");
    for (const [address, shown] of [
      ["/", ".task-row"],
      [`/tasks/${taskId}`, ".output-line"],
      [`/sessions/${sessionId}`, ".answer"],
      ["/search?q=hacked", ".hit"],
    ] as const) {
      await page.goto(dashboard.origin + address);
      await page.locator(shown, { hasText: "window.hacked" }).first().waitFor();
      expect(await page.evaluate("window.hacked")).toBeUndefined();
      expect(new URL(page.url()).pathname).toBe(address.split("?")[0]);
      expect(await page.evaluate("getComputedStyle(document.body).display")).not.toBe("none");
      const dangerous =
        "[onerror], [onclick], a[href^='javascript:'], a[href^='data:'], img:not([src^='/api/'])";
      expect(await page.locator(dangerous).count()).toBe(0);
    }
    expect(complaints).toEqual([]);
    await page.close();
  });
});
