#!/usr/bin/env node
// The command's entry. Written for every Node since 16, so that an old one gets a sentence (or, in a
// clone, a fetched Node) instead of a syntax error. A clone runs src/ unbuilt; the package runs dist/.
import { fileURLToPath } from "node:url";

// An import would load all that node:fs offers, its streams too, which takes longer than most commands.
const { existsSync } = process.getBuiltinModule?.("node:fs") ?? (await import("node:fs"));
const here = (path) => new URL(path, import.meta.url);
const [major, minor] = process.versions.node.split(".").map(Number);
const isClone = existsSync(here("../src/doors/cli/main.ts"));
// A client waits for its hooks: theirs is a small program of its own, which in the package also runs on an older Node.
const isHook = process.argv[2] === "hook" && !/^(?:-h|--help)$/.test(process.argv[3] ?? "");

if (process.platform === "win32") {
  process.stderr.write("holdfast: Windows is not supported; run it in WSL (docs/platforms.md)\n");
  // A client must go on whatever its hook says.
  process.exitCode = isHook ? 0 : 1;
} else if (isHook && !isClone) {
  await import("../dist/hook.cjs");
} else if (major > 22 || (major === 22 && minor >= 18)) {
  // Node 22 calls type stripping and node:sqlite experimental on stderr; users can do nothing about it.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning, ...rest) => {
    if (rest[0] !== "ExperimentalWarning") emitWarning(warning, ...rest);
  };
  if (isClone) {
    // Stripping types at every start costs more than everything else together; the clone keeps the result.
    const { enableCompileCache } = await import("node:module");
    enableCompileCache(fileURLToPath(here("../.cache/compile")));
  }
  if (isHook) {
    await import("../src/doors/hooks/hook-main.ts");
  } else {
    const { main } = await import(isClone ? "../src/doors/cli/main.ts" : "../dist/main.js");
    await main(process.argv.slice(2), { manifest: here("../package.json") });
  }
} else if (isClone) {
  const { runOn, supportedNode } = await import("../scripts/with-node.mjs");
  runOn(supportedNode(), fileURLToPath(import.meta.url), process.argv.slice(2));
} else {
  process.stderr.write(`holdfast: needs Node 22.18 or newer; this is ${process.versions.node}\n`);
  process.exitCode = 1;
}
