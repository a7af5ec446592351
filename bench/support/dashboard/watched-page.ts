import fs from "node:fs";
import { chromium, type Browser, type CDPSession, type Page } from "playwright-core";
import { findChromium } from "../../../scripts/find-chromium.mjs";
import { programPath } from "../run-program.ts";
import type { DashboardServer } from "./dashboard-server.ts";

/** A page in a browser of its own that says when what is looked for was painted (programs/page-probe.mjs). */
export interface WatchedPage {
  /** Of the page with the list, from the click until one of these words was painted, and what was files of the page until then. */
  readonly list: { readonly ms: number; readonly filesKb: number };
  /** Opens a session and waits until this text is painted. */
  openSession(sessionId: string, text: string): Promise<number>;
  /** The same for another page. */
  openPath(path: string, shown: RegExp): Promise<number>;
  /** From before something is done until this text is painted. */
  timeTo(text: string, act: () => void): Promise<number>;
  scroll(how: ScrollPlan): Promise<Scrolled>;
  toEnd(): Promise<void>;
  /** After what nobody needs any more was collected. */
  heapMb(): Promise<number>;
  /** The most elements that it had whenever it was looked at. */
  nodesMax(): Promise<number>;
  close(): Promise<void>;
}

export interface ScrollPlan {
  /** How many frames upwards, and how far with each. */
  readonly frames: number;
  readonly px: number;
  /** How many times to somewhere else. */
  readonly jumps: number;
  readonly framesAJump: number;
}

export interface Scrolled {
  readonly frameP95Ms: number;
  readonly longTasks: number;
  readonly longestTaskMs: number;
  readonly missingPercent: number;
}

const SHOWN_WITHIN_MS = 120_000;
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Nobody else's server has a part in it.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];
const PROBE = fs.readFileSync(programPath("page-probe.mjs"), "utf8");

/** The browser that is there; undefined where there is none. */
export function findBrowser(): string | undefined {
  return findChromium();
}

/** Opens the list of a dashboard in a new browser. `shown` is a pattern of what a row of it says. */
export async function openWatchedPage(server: DashboardServer, shown: RegExp): Promise<WatchedPage> {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error("Cannot open a page: no Chromium is here");
  const browser = await chromium.launch({ executablePath, args: FLAGS });
  try {
    return await watch(browser, server, shown);
  } catch (error) {
    await browser.close();
    throw error;
  }
}

async function watch(browser: Browser, server: DashboardServer, shown: RegExp): Promise<WatchedPage> {
  const { origin, program, entry } = server;
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  const [name, value] = entry.cookie?.split("=") ?? [];
  if (name !== undefined && value !== undefined)
    await context.addCookies([{ name, value, url: origin, httpOnly: true, sameSite: "Strict" }]);
  const watching = `benchProbe.watch(${JSON.stringify(shown.source)});`;
  await context.addInitScript({ content: `${PROBE}\n${entry.script ?? ""}\n${watching}` });
  const page = await context.newPage();
  page.setDefaultTimeout(SHOWN_WITHIN_MS);
  await page.goto(origin + program.listPath, { waitUntil: "commit" });
  const list = await ask<WatchedPage["list"]>(page, "seenSinceStart()");
  const openPath = (path: string, source: string): Promise<number> =>
    ask(page, `open(${JSON.stringify(path)}, ${JSON.stringify(source)})`);
  const cdp = await context.newCDPSession(page);
  return {
    list,
    openSession: (sessionId, text) => openPath(program.sessionPath(sessionId), text),
    openPath: (path, { source }) => openPath(path, source),
    async timeTo(text, act) {
      await ask(page, `watch(${JSON.stringify(text)})`);
      const from = Date.now();
      act();
      return (await ask<number>(page, "seen()")) - from;
    },
    scroll: (how) => ask(page, `scroll(${JSON.stringify(how)})`),
    toEnd: () => ask(page, "toEnd()"),
    heapMb: () => heapMb(cdp),
    nodesMax: () => ask(page, "nodesMax()"),
    close: () => browser.close(),
  };
}

// What never comes into sight fails the run instead of holding it up.
async function ask<Answer>(page: Page, call: string): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new Error(`Cannot measure the page: ${call} has no answer after ${SHOWN_WITHIN_MS} ms`));
    }, SHOWN_WITHIN_MS);
  });
  try {
    return await Promise.race([page.evaluate<Answer>(`benchProbe.${call}`), late]);
  } finally {
    clearTimeout(timer);
  }
}

async function heapMb(cdp: CDPSession): Promise<number> {
  // Twice: what the first leaves to finalizers is gone after the second.
  await cdp.send("HeapProfiler.collectGarbage");
  await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  return usedSize / 1e6;
}
