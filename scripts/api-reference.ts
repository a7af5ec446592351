// Writes docs/api.md: `npm run api`.
import fs from "node:fs";
import { fileURLToPath } from "node:url";
import ts from "typescript-5.9";
import { code, table } from "./markdown-table.ts";
import { publicEntries } from "./public-entries.ts";
import { readDeclarations, type Exported, type Member } from "./read-declarations.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

export const apiFile: string = `${root}docs/api.md`;

/** The public names with their doc comments, as Markdown: what docs/api.md holds. */
export function apiReference(): string {
  const files = Object.values(publicEntries).map((file) => `${root}${file}`);
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const read = readDeclarations(files, options);
  const main = read[0]!;
  const sections = Object.keys(publicEntries).map((name, at) =>
    at === 0 ? mainSection(main) : `## \`holdfast/${name}\`\n\n${subpathSection(read[at]!, main)}`,
  );
  return `${[HEADER, ...sections].join("\n\n")}\n`;
}

const HEADER = `# API reference

Everything that can be imported, with what its doc comment says. \`npm run api\` makes this page of the sources; do not edit it.
How things are done is in the [examples](../examples/README.md) and the [guides](guide/); what an error code means, in
[errors.md](errors.md). A verb that throws a code names it; wrong arguments are a \`TypeError\` or \`RangeError\`.`;

function mainSection(exported: Exported[]): string {
  const runtime = exported.find(({ name }) => name === "Runtime")!;
  const parts = runtime.members.flatMap(({ name, typeName }) => {
    const part = exported.find((each) => each.name === typeName);
    return part && hasVerbs(part) ? [{ name, part }] : [];
  });
  const others = exported.filter((each) => each !== runtime && !parts.some(({ part }) => part === each));
  const take = (belongs: (each: Exported) => boolean): string => {
    const taken = others.filter(belongs);
    for (const each of taken) others.splice(others.indexOf(each), 1);
    return tablesOf(taken);
  };
  return [
    "## `holdfast`",
    "### Functions and values",
    take(({ signature }) => signature !== undefined),
    "### `runtime`",
    runtime.doc,
    verbTable(runtime.members),
    ...parts.flatMap(({ name, part }) => [`### \`runtime.${name}\``, part.doc, verbTable(part.members)]),
    "### What verbs give and take",
    take(hasVerbs),
    "### Events",
    take(({ name }) => name.endsWith("Event")),
    "### Views: what leaves the process",
    take(({ name }) => name.endsWith("View")),
    "### Error codes",
    take(({ name }) => name.endsWith("ErrorCode")),
    "### Other data",
    tablesOf(others),
  ].join("\n\n");
}

/** What `holdfast` itself exports, too, is only named. */
function subpathSection(exported: Exported[], main: Exported[]): string {
  const listed = new Set(main.map((each) => JSON.stringify(each)));
  const [known, own] = [true, false].map((isKnown) =>
    exported.filter((each) => listed.has(JSON.stringify(each)) === isKnown),
  );
  const names = known!.map(({ name }) => code(name)).join(", ");
  return names === "" ? tablesOf(own!) : `${tablesOf(own!)}\n\nAnd, as above: ${names}.`;
}

function tablesOf(exported: Exported[]): string {
  const values = exported.filter(({ signature }) => signature !== undefined);
  const types = exported.filter(({ signature }) => signature === undefined);
  const objects = types.filter(hasVerbs);
  const data = types.filter((each) => !hasVerbs(each));
  const tables = [
    values.length > 0 &&
      table(
        ["value", "what it is"],
        values.map(({ signature = "", doc }) => [code(signature), doc]),
      ),
    ...objects.flatMap(({ name, doc, members }) => [`**\`${name}\`** ${doc}`.trim(), verbTable(members)]),
    data.length > 0 &&
      table(
        ["type", "what it is"],
        data.map(({ name, doc, shape }) => [code(name), [doc, code(shape)].join(" ").trim()]),
      ),
  ];
  return tables.filter((each) => each !== false).join("\n\n");
}

const hasVerbs = ({ members }: Exported): boolean => members.some(({ isVerb }) => isVerb);

const verbTable = (members: Member[]): string =>
  table(
    ["member", "what it does"],
    members.map(({ text, doc }) => [code(text), doc]),
  );

if (process.argv[1] === fileURLToPath(import.meta.url)) fs.writeFileSync(apiFile, apiReference());
