import { chromium, type Browser } from "playwright-core";
import { findChromium } from "../../scripts/find-chromium.mjs";

const flags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A Chromium without a window; undefined where there is none. */
export async function openBrowser(
  executablePath: string | undefined = findChromium(),
): Promise<Browser | undefined> {
  return executablePath === undefined ? undefined : chromium.launch({ executablePath, args: flags });
}
