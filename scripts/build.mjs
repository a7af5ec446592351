// Builds dist/ from src/, from nothing: JavaScript in a few files, because every module that a process loads costs it
// half a millisecond (docs/adr/0005), and declarations beside them. What is imported on demand stays a file of its own.
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { waitForUpdate } from "@pydantic/genai-prices";
import { rolldown } from "rolldown";
import { claudeModelsOf } from "../src/usage/prices/price-list.ts";
import { buildWeb } from "./build-web.mjs";
import { bundleDeclarations } from "./bundle-declarations.mjs";
import { collectLicences } from "./collect-licences.mjs";
import { compileScan } from "./compile-scan.ts";
import { publicEntries } from "./public-entries.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const dist = path.join(root, "dist");
const manifest = JSON.parse(fs.readFileSync(path.join(root, "package.json"), "utf8"));
// Other packages that src imports are for development only: they go into the files that use them (docs/adr/0012).
const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
const external = [/^node:/, ...installed.map((name) => new RegExp(`^${name}(?:/|$)`))];
// Nothing in src runs on import; without this, every file of a folder's index would be kept for its effects.
const treeshake = { moduleSideEffects: [{ test: /^(?!.*\/node_modules\/)/, sideEffects: false }] };
const licences = collectLicences(root);

// The one compiled loop (docs/adr/0009), embedded: a file beside would be one more to find and read in every thread.
const scanCode = Buffer.from(compileScan()).toString("base64");
const compiledScan = {
  name: "compiled-scan",
  load: {
    filter: { id: /src\/scan\/compiled-code\.ts$/ },
    handler: () => `export const compiledCode = Buffer.from("${scanCode}", "base64");`,
  },
};

// What nearly every process needs, together. Files that load zod or node:crypto stay out of these.
const inTasks =
  "errors look-at-tasks list/list-tasks record/read-state record/running-tasks record/task record/task-files record/task-state " +
  "supervise/task-processes kinds/agent/agent-progress kinds/agent/agent-result";
const inSearch =
  "ask-index document-role entry-document errors find-tool-name index-form listed-transcripts make-snippet match-text " +
  "needle-finder parse-query prepare-documents read-hit read-hits redact-documents scan-matches " +
  "search-sessions searched-task text-place word-bytes word-index";
// What a report needs that finds everything counted; what counts is loaded on demand.
const inUsage = "report-usage usage-index usage-tables";
// What counts, which the header of a conversation needs without the rest.
const inCounting = "errors packed-messages sum-rows usage-cells usage-grouping prices/read-prices";
const names = (list) => list.split(" ").join("|");
// What finds and opens transcripts: with lib, all that a search needs of others.
const inBase =
  "list/agent-file list/all-transcripts archive/archive-manifest archive/archived-sessions archive/archived-transcripts " +
  "line/cut-parts index/file-coverage index/covered-files index/found-files index/sealed-text index/derived-index index/tables index/text-sum " +
  "read/open-if-there read/open-transcript config/config-schema config/read-config config/schema list/transcript-files";
const isBase = new RegExp(
  "/limits\\.ts|src/lib/(?!find-secrets|json-pieces|may-hold-secret)|src/format/(?:ids|line-entry|message-tokens|paths|entry-kinds|json-object)\\.ts|" +
    `src/store/(?:${names(inBase)})\\.ts`,
);
// What an import of the library loads, exactly.
const inLibrary = await modulesLoadedBy("src/index.ts");
// What reads sessions.
const inSessions = await modulesLoadedBy("src/store/look-at-sessions.ts");
// What a command needs before it knows what it is to do, and to say what it has done.
const inStart =
  "command command-list environment errors exit-codes find-command json-output nearest option-values output parse-command-line progress-bar real-dir " +
  "run-command-line transient-line render/ascii-marks render/cut-text render/display-path render/display-width render/expand-tabs render/style render/wrap-text";
// A group takes along what its files import, unless an earlier one has it.
const groups = [
  { name: "streams", test: /src\/doors\/cli\/standard-streams/ },
  // What every process needs.
  { name: "runtime", test: (id) => inLibrary.has(id) },
  // What sessions and a search share: each loads it and one file more.
  { name: "core", test: (id) => isBase.test(id) && inSessions.has(id) },
  { name: "base", test: isBase },
  { name: "start", test: new RegExp(`src/doors/cli/(?:${names(inStart)})\\.ts|src/lib/json-pieces`) },
  { name: "sessions", test: (id) => inSessions.has(id) || id.endsWith("/views/session-view.ts") },
  {
    name: "tasks",
    test: new RegExp(
      `src/tasks/(?:${names(inTasks)}|output/read-output)\\.ts|` +
        "src/runtime/views/task-view\\.ts|src/store/write/(?:session-presence|transcript-lease|client-processes)",
    ),
  },
  {
    name: "cli",
    test: /src\/doors\/cli\/(?:render\/(?!question-text|wrap-said)|tasks\/(?!show-output|stamped-lines|attach-terminal|screen-modes|watch-tasks)|(?!main|help-text|report-error|candidate-lines|find-transcript|not-found-lines|own-version|progress|second-screen|show-raw)[\w-]+\.ts)/,
  },
  {
    name: "counting",
    test: new RegExp(`src/usage/(?:${names(inCounting)})\\.ts|src/store/line/message-usage`),
  },
  {
    name: "usage",
    test: new RegExp(
      `src/usage/(?:${names(inUsage)})\\.ts|src/runtime/views/usage-view|src/doors/cli/commands/usage`,
    ),
  },
  {
    name: "search",
    test: new RegExp(
      `src/search/(?:${names(inSearch)})\\.ts|src/scan/|src/lib/may-hold-secret|src/runtime/views/hit-view|src/doors/cli/search/|src/doors/cli/commands/search`,
    ),
  },
];

// An import of a module of Node makes a namespace of it, for which Node calls every getter that the module has: those of
// node:fs alone load its streams, which takes longer than all of our own code.
const plainBuiltins = {
  name: "plain-builtins",
  renderChunk: (code) =>
    code.replace(/^import (?:(\w+)(?:, )?)?(?:\{ (.+) \})? from "(node:[\w/]+)";$/gm, (_, whole, some, id) =>
      [whole, some && `{ ${some.replaceAll(" as ", ": ")} }`]
        .filter(Boolean)
        .map((target) => `const ${target} = process.getBuiltinModule("${id}");`)
        .join("\n"),
    ),
};

// The files that an import of `entry` loads at once: without those that are imported on demand.
async function modulesLoadedBy(entry) {
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    input: entry,
    external,
    treeshake,
    plugins: [compiledScan, { name: "at-once", resolveDynamicImport: (id) => ({ id, external: true }) }],
  });
  const { output } = await bundle.generate();
  await bundle.close();
  return new Set(output.flatMap(({ moduleIds }) => moduleIds));
}

fs.rmSync(dist, { recursive: true, force: true });
const toDist = {
  cwd: root,
  platform: "node",
  external,
  treeshake,
  // A verb that is loaded on demand in one place and needed by another one at once is no mistake.
  checks: { ineffectiveDynamicImport: false },
  plugins: [plainBuiltins, compiledScan, licences.plugin],
  // A limit stands where it is used, instead of as one of the two hundred names that a file would export.
  optimization: { inlineConst: { mode: "all" } },
};
const bundle = await rolldown({
  ...toDist,
  input: {
    ...publicEntries,
    main: "src/doors/cli/main.ts",
    // Programs that are started as processes of their own, from beside the file that starts them.
    "pty-host": "src/tasks/kinds/shell/pty-host.ts",
    "agent-host": "src/programs/agent-host.ts",
    "fleet-follower": "src/programs/fleet-follower.ts",
    "writer-child": "src/doors/cli/demo/writer-child.ts",
    // A thread that may need anything of the runtime, and shares its files.
    "aside-worker": "src/runtime/aside/aside-worker.ts",
  },
});
await bundle.write({
  dir: dist,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: "[name]-[hash].js",
  codeSplitting: { groups },
  comments: false,
});
await bundle.close();
// A thread compiles what it loads anew: each program of one is a single file, with nothing that only the process needs.
for (const [name, program] of Object.entries({
  "index-worker": "src/search/index-worker.ts",
  "search-worker": "src/search/search-worker.ts",
  "usage-worker": "src/usage/usage-worker.ts",
  "live-worker": "src/tasks/live/live-worker.ts",
  "search-output-worker": "src/tasks/output/search-output-worker.ts",
})) {
  const thread = await rolldown({ ...toDist, input: { [name]: program } });
  await thread.write({
    dir: dist,
    format: "esm",
    entryFileNames: "[name].js",
    // Two threads that load the same on demand share its file.
    chunkFileNames: "thread-[name]-[hash].js",
    comments: false,
  });
  await thread.close();
}
// The hook is started on every tool call and shares nothing with the rest: one small file, another one for the events
// that read or write the manifest, and what is needed once a day (node:zlib) apart. CommonJS, because Node
// takes 5 ms less to load it.
const hook = await rolldown({
  cwd: root,
  platform: "node",
  input: { hook: "src/doors/hooks/hook-main.ts" },
  external: [/^node:/],
  treeshake: { moduleSideEffects: false },
  checks: { ineffectiveDynamicImport: false },
});
const atStart =
  "doors/hooks/(?:hook-input|log-failure|read-input|run-hook)|runtime/places|lib/(?:clock|errors|file-ops|private-dir)|" +
  "format/(?:limits|json-object|short-text)";
const atTimes = "recovery/(?:rotate-manifest|tidy-manifests)|doors/hooks/run-keep";
await hook.write({
  dir: dist,
  format: "cjs",
  entryFileNames: "[name].cjs",
  chunkFileNames: "hook-[name]-[hash].cjs",
  codeSplitting: {
    groups: [
      { name: "start", test: new RegExp(`src/(?:${atStart})\\.ts`), priority: 2 },
      { name: "events", test: new RegExp(`src/(?!(?:doors/hooks/hook-main|${atTimes})\\.ts)`), priority: 1 },
    ],
  },
});
await hook.close();
await buildWeb({ plugins: [licences.plugin] });
fs.writeFileSync(path.join(dist, "THIRD-PARTY-LICENSES"), licences.text());
// Read from beside the code that uses them.
const claudeModels = claudeModelsOf(await waitForUpdate());
fs.writeFileSync(path.join(dist, "claude-prices.json"), JSON.stringify(claudeModels));
fs.cpSync(path.join(root, "src/tasks/supervise/sh"), path.join(dist, "sh"), { recursive: true });

await bundleDeclarations({ root, dir: dist, entries: publicEntries });
