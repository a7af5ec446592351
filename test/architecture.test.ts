import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";

// The house rules that a machine can check (docs: CONTRIBUTING.md, ARCHITECTURE.md). Every test names what breaks
// its rule, so that an empty list means that all is well.

const root = fileURLToPath(new URL("..", import.meta.url));
const NOT_OURS = new Set([".git", "node_modules", "dist", ".cache", "coverage"]);

interface SourceFile {
  /** From the root of the repository, with slashes. */
  name: string;
  text: string;
}

function readFiles(dir: string): SourceFile[] {
  return fs.readdirSync(path.join(root, dir), { withFileTypes: true }).flatMap((entry): SourceFile[] => {
    if (NOT_OURS.has(entry.name)) return [];
    const name = path.posix.join(dir, entry.name);
    if (entry.isDirectory()) return readFiles(name);
    return entry.isFile() ? [{ name, text: fs.readFileSync(path.join(root, name), "utf8") }] : [];
  });
}

const everything = readFiles(".");
const isTest = ({ name }: SourceFile): boolean => name.endsWith(".test.ts");
const sources = everything.filter(
  (file) => file.name.startsWith("src/") && file.name.endsWith(".ts") && !isTest(file),
);
const isProgramCode = ({ name }: SourceFile): boolean => /\.(tsx?|mjs|js)$/.test(name);

interface Import {
  from: string;
  to: string;
  isDynamic: boolean;
  /** Gone once it is compiled. */
  isOfTypes: boolean;
}

// Static imports and re-exports begin a line; a dynamic one may stand anywhere.
const IMPORT =
  /^(?:import|export)\b[^"';]*?from\s*"(\.[^"]+)"|^import\s*"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm;

function importsOf({ name, text }: SourceFile): Import[] {
  return [...text.matchAll(IMPORT)].map(([all, from, bare, dynamic]) => ({
    from: name,
    to: path.posix.join(path.posix.dirname(name), (from ?? bare ?? dynamic)!),
    isDynamic: dynamic !== undefined,
    isOfTypes: /^(?:import|export) type\b/.test(all),
  }));
}

const imports = sources.flatMap(importsOf);
// A door is a room of its own.
const folderOf = (name: string): string => {
  const [, first = "", second = ""] = name.split("/");
  if (first.endsWith(".ts")) return "";
  return first === "doors" ? `doors/${second}` : first;
};

describe("imports", () => {
  const core = ["tasks", "store", "format", "lib"];
  const rooms = ["fleet", "agents", "conversation", "recovery", "health", "search", "usage", ...core];
  const below: Record<string, string[]> = {
    lib: [],
    format: ["lib"],
    scan: [],
    store: ["format", "lib"],
    tasks: ["store", "format", "lib"],
    usage: ["store", "format", "lib"],
    conversation: ["store", "format", "lib"],
    search: ["scan", "store", "format", "lib"],
    agents: ["usage", ...core],
    recovery: core,
    health: core,
    fleet: ["agents", "usage", ...core],
    runtime: rooms,
    // Processes that tasks start.
    programs: ["runtime", ...rooms],
    "doors/mcp": ["runtime", "format", "lib"],
    "doors/server": ["runtime", "format", "lib"],
    // The hook runs on every tool call: it may skip the runtime, which would load the store.
    "doors/hooks": ["recovery", "runtime", "format", "lib"],
    "doors/cli": ["runtime", "conversation", "format", "lib"],
  };
  // Commands that start another door, or look for one that runs.
  const starts = new Set([
    "src/doors/mcp/serve-mcp.ts",
    "src/doors/hooks/hook-main.ts",
    "src/doors/server/serve-dashboard.ts",
    "src/doors/server/access/announced-servers.ts",
  ]);

  test("go only downwards, as the table says", () => {
    const wrong = imports.filter(({ from, to, isOfTypes }) => {
      const [folder, target] = [folderOf(from), folderOf(to)];
      if (folder === "" || folder === target) return false;
      // A door may name what the runtime gives it: the public types.
      if (folder.startsWith("doors/") && isOfTypes) return false;
      if (folder === "doors/cli" && starts.has(to)) return false;
      return !below[folder]?.includes(target);
    });
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test("of runners touch neither disk nor screen of Holdfast", () => {
    const allowed = ["src/agents/runners/", "src/tasks/ports.ts", "src/format/", "src/lib/"];
    const wrong = imports.filter(
      ({ from, to }) =>
        from.startsWith("src/agents/runners/") && !allowed.some((beginning) => to.startsWith(beginning)),
    );
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test("of the page are types, and functions without effects that the command line has, too", () => {
    const allowed = new Set([
      "src/conversation/highlight.ts",
      "src/conversation/parse-markdown.ts",
      "src/lib/quantities.ts",
    ]);
    const pageSources = everything.filter(
      (file) => /^web\/.*\.tsx?$/.test(file.name) && !isTest(file) && !file.name.endsWith("vite.config.ts"),
    );
    expect(pageSources.length).toBeGreaterThan(50);
    const wrong = pageSources
      .flatMap(importsOf)
      .filter(({ to, isOfTypes }) => !to.startsWith("web/") && !isOfTypes && !allowed.has(to));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });

  test("lead to files that exist", () => {
    const names = new Set(everything.map(({ name }) => name));
    expect(imports.filter(({ to }) => !names.has(to)).map(({ from, to }) => `${from} imports ${to}`)).toEqual(
      [],
    );
  });

  test("have no cycles", () => {
    expect(findCycles(imports.filter(({ isDynamic }) => !isDynamic))).toEqual([]);
  });

  test("never load a program that is a process of its own", () => {
    const programs = new Set(sources.filter(isOwnProcess).map(({ name }) => name));
    const wrong = imports.filter(({ to }) => programs.has(to) && !to.startsWith("src/doors/cli/"));
    expect(wrong.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
  });
});

function findCycles(edges: Import[]): string[] {
  const next = new Map<string, string[]>();
  for (const { from, to } of edges) next.set(from, [...(next.get(from) ?? []), to]);
  const done = new Set<string>();
  const cycles: string[] = [];
  const visit = (name: string, trail: string[]): void => {
    if (trail.includes(name)) cycles.push([...trail.slice(trail.indexOf(name)), name].join(" → "));
    if (done.has(name) || trail.includes(name)) return;
    for (const to of next.get(name) ?? []) visit(to, [...trail, name]);
    done.add(name);
  };
  for (const name of next.keys()) visit(name, []);
  return cycles;
}

// It reads its arguments, so somebody starts it: then its environment and its exit code are its own, too.
function isOwnProcess({ text }: SourceFile): boolean {
  return /\bprocess\.argv\b/.test(text);
}

test("process.env and process.exit are for the command line, scripts, tests and programs of their own", () => {
  // An embedder that names no environment gets that of its process.
  const isDefault = ({ name }: SourceFile): boolean => name === "src/runtime/open-runtime.ts";
  const wrong = sources.filter(
    (file) => !file.name.startsWith("src/doors/cli/") && !isOwnProcess(file) && !isDefault(file),
  );
  expect(wrong.filter(({ text }) => /\bprocess\.(env|exit)\b/.test(text)).map(({ name }) => name)).toEqual(
    [],
  );
});

describe("files", () => {
  test("are named after what they hold", () => {
    const vague = everything.filter(({ name }) =>
      /(^|[/-])(utils?|helpers?|common|misc|types)\.\w+$/.test(name),
    );
    expect(vague.map(({ name }) => name)).toEqual([]);
    const mixedCase = everything.filter(
      (file) => isProgramCode(file) && /[A-Z_ ]/.test(path.posix.basename(file.name)),
    );
    expect(mixedCase.map(({ name }) => name)).toEqual([]);
  });

  test("have at most 500 lines", () => {
    const long = everything.filter((file) => isProgramCode(file) && file.text.split("\n").length > 501);
    expect(long.map(({ name, text }) => `${name} (${text.split("\n").length - 1})`)).toEqual([]);
  });

  test("of rooms phrase no command line: what they suggest is data, which each door phrases", () => {
    // What a server of the fleet calls a connection, and a field of TaskOutput that is a command line by its name.
    const allowed = [/\bname: ["`]holdfast /, /`holdfast teleport \$\{taskId\}`/];
    const wrong = sources
      .filter(({ name }) => !name.startsWith("src/doors/"))
      .flatMap(({ name, text }) =>
        text
          .split("\n")
          .filter((line) => /["`]holdfast /.test(line) && !/^\s*(\/?\*|\/\/)/.test(line))
          .filter((line) => !allowed.some((form) => form.test(line)))
          .map((line) => `${name}: ${line.trim()}`),
      );
    expect(wrong).toEqual([]);
  });

  test("hold no class called Manager or Service", () => {
    const vague = sources.filter(({ text }) => /\b(class|interface) \w+(Manager|Service)\b/.test(text));
    expect(vague.map(({ name }) => name)).toEqual([]);
  });

  test("re-export only from a folder's index.ts, and by name", () => {
    const wrong = sources.filter(
      ({ name, text }) =>
        /^export \*/m.test(text) ||
        (!name.endsWith("/index.ts") && /^export (type )?\{[^}]*\} from/m.test(text)),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe("index.ts", () => {
  const indexes = sources.filter(({ name }) => /^src\/.+\/index\.ts$/.test(name));

  test("is in every folder that another may import as a whole", () => {
    const folders = new Set(
      sources
        .map(({ name }) => folderOf(name))
        .filter((folder) => !["", "lib", "programs", "doors/cli"].includes(folder)),
    );
    const present = new Set(indexes.map(({ name }) => name));
    expect([...folders].filter((folder) => !present.has(`src/${folder}/index.ts`))).toEqual([]);
  });

  test("opens with what the folder owns and never does, in at most 20 lines", () => {
    const wrong = indexes.filter(({ text }) => {
      const header = /^\/\*\*[\s\S]*?\*\//.exec(text)?.[0] ?? "";
      return header.split("\n").length > 20 || !/\bowns?\b/i.test(header) || !/\bnever\b/i.test(header);
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });
});

describe("docs/errors.md", () => {
  const declared = everything
    .filter((file) => /^src\/.*\berrors\.ts$/.test(file.name))
    .flatMap(({ text }) => /ErrorCodes = \[([^\]]*)\]/.exec(text)?.[1]?.match(/\w+/g) ?? []);
  const thrown = sources
    .filter(
      ({ name, text }) =>
        name.startsWith("src/lib/") ||
        text.includes("new HoldfastError(") ||
        name === "src/doors/cli/report-error.ts",
    )
    .flatMap(({ text }) => [...text.matchAll(/\bcode: "(\w+)"/g)].map(([, code]) => code!));
  const page = fs.existsSync(path.join(root, "docs/errors.md"))
    ? fs.readFileSync(path.join(root, "docs/errors.md"), "utf8")
    : "";
  const rows = [...page.matchAll(/^\| `(\w+)` *\|([^|]*)\|([^|]*)\|([^|]*)\|$/gm)];
  const listed = rows.map(([, code]) => code!);

  test("lists every code, each once, and no other", () => {
    expect(listed.toSorted()).toEqual([...new Set([...declared, ...thrown])].toSorted());
  });

  test("says of every code what it means, whether to retry, and what to do", () => {
    const empty = rows.filter(([, , ...cells]) => cells.some((cell) => cell.trim() === ""));
    expect(empty.map(([, code]) => code)).toEqual([]);
  });
});

describe("what is committed", () => {
  // Written in two parts, so that this file does not break its own rule.
  const machinePaths = new RegExp(
    ["/work/(main|shared)", "/root/", "/tmp/brief"].map((part) => `(?<![\\w.])${part}`).join("|"),
  );
  // The last two are names: of a format, SVG, and of a mode of a protocol.
  const known = new Set(["github.com", "localhost", "127.0.0.1", "www.w3.org", "agentclientprotocol.com"]);
  const isKnown = (host: string): boolean =>
    known.has(host) || /(^|\.)example(\.\w+)?$/.test(host) || !host.includes(".");

  test("names no path of the machine it was written on", () => {
    const own = (file: SourceFile): boolean => file.name === "test/architecture.test.ts";
    const wrong = everything.filter((file) => !own(file) && machinePaths.test(file.text));
    expect(wrong.map(({ name, text }) => `${name}: ${machinePaths.exec(text)![0]}`)).toEqual([]);
  });

  test("names no host but those we mean to name", () => {
    const files = everything.filter(({ name }) => name !== "package-lock.json");
    const wrong = files.flatMap(({ name, text }) =>
      [...text.matchAll(/\bhttps?:\/\/([\w.-]+)/g)].flatMap(([, host]) =>
        isKnown(host!) ? [] : [`${name}: ${host}`],
      ),
    );
    expect(wrong).toEqual([]);
  });

  test("has a lock file that leaves the registry to whoever installs", () => {
    const lock = fs.readFileSync(path.join(root, "package-lock.json"), "utf8");
    expect([...lock.matchAll(/"resolved": "(.*)"/g)].map(([, url]) => url)).toEqual([]);
  });
});
