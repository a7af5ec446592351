// Keeps the licence of every package whose code a bundle takes in. Throws when one names none, so that nothing is
// distributed without its terms.
import fs from "node:fs";
import path from "node:path";

/** A plugin that notes whose code goes into what is built, and the text of all their licences. */
export function collectLicences(root) {
  const packages = new Set();
  const plugin = {
    name: "licences",
    generateBundle(_, bundle) {
      for (const { moduleIds = [] } of Object.values(bundle)) {
        for (const id of moduleIds) {
          const [, dir] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id) ?? [];
          if (dir !== undefined) packages.add(path.relative(root, dir));
        }
      }
    },
  };
  const text = () =>
    [...packages]
      .sort((a, b) => a.localeCompare(b))
      .map((dir) => licenceOf(path.join(root, dir)))
      .join(`\n${"-".repeat(80)}\n\n`);
  return { plugin, text };
}

function licenceOf(dir) {
  const manifest = JSON.parse(fs.readFileSync(path.join(dir, "package.json"), "utf8"));
  const { name, version, license, author } = manifest;
  if (!license) throw new Error(`Cannot bundle "${name}": it names no licence`);
  const files = fs.readdirSync(dir).filter((file) => /^(?:licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => fs.readFileSync(path.join(dir, file), "utf8").trim());
  // A few packages name their licence and owner in the manifest only.
  if (texts.length === 0) texts.push(`Copyright ${author?.name ?? author ?? `the authors of ${name}`}`);
  return `${name} ${version} (${license})\n\n${texts.join("\n\n")}\n`;
}
