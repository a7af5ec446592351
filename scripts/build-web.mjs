// Builds the dashboard's page from web/ into dist/web: `npm run build:web`, and a part of `npm run build`.
import { fileURLToPath } from "node:url";
import { build } from "vite";

/** `plugins` see what is bundled, also into the page's worker. */
export async function buildWeb({ plugins = [] } = {}) {
  await build({
    configFile: fileURLToPath(new URL("../web/vite.config.ts", import.meta.url)),
    logLevel: "warn",
    plugins,
    worker: { plugins: () => plugins },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildWeb();
