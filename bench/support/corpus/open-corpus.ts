import crypto from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import type { CorpusTruth } from "./truth.ts";
import { writeCorpus, type CorpusParameters } from "./write-corpus.ts";

export interface Corpus {
  /** Takes the place of the user's config folder. */
  readonly configDir: string;
  readonly truth: CorpusTruth;
}

/**
 * Returns the corpus with these parameters, generating it unless the cache has it. A corpus is reused only if
 * neither its parameters nor the generator's own source changed; older ones of the same name are removed.
 */
export function openCorpus(parameters: CorpusParameters, { cacheDir }: { cacheDir: string }): Corpus {
  const name = `corpus-${parameters.layout}-${parameters.sessions}-sessions-${parameters.bytes}-bytes`;
  const home = path.join(cacheDir, `${name}-${fingerprint(parameters)}`);
  const truthFile = path.join(home, "truth.json");
  if (!fs.existsSync(truthFile)) generate({ parameters, home, name, cacheDir });
  return {
    configDir: path.join(home, "config"),
    truth: JSON.parse(fs.readFileSync(truthFile, "utf8")) as CorpusTruth,
  };
}

function generate({
  parameters,
  home,
  name,
  cacheDir,
}: {
  parameters: CorpusParameters;
  home: string;
  name: string;
  cacheDir: string;
}): void {
  process.stderr.write(`bench: generating ${name} …\n`);
  fs.mkdirSync(cacheDir, { recursive: true });
  for (const entry of fs.readdirSync(cacheDir)) {
    if (entry.startsWith(`${name}-`)) fs.rmSync(path.join(cacheDir, entry), { recursive: true });
  }
  // Built aside and renamed, so that an interrupted run never leaves half a corpus behind.
  const temp = `${home}.partial`;
  const truth = writeCorpus(path.join(temp, "config"), parameters);
  fs.writeFileSync(path.join(temp, "truth.json"), JSON.stringify({ parameters, ...truth }, null, 1));
  fs.renameSync(temp, home);
}

function fingerprint(parameters: CorpusParameters): string {
  const hash = crypto.createHash("sha256").update(JSON.stringify(parameters));
  for (const file of fs.readdirSync(import.meta.dirname).sort()) {
    hash.update(fs.readFileSync(path.join(import.meta.dirname, file)));
  }
  return hash.digest("hex").slice(0, 12);
}
