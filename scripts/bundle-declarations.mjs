// Writes the declarations of the public entries: one file an entry, and one for what several of them share, so that a type
// is the same type wherever it is imported from. Every export has its type written out (`isolatedDeclarations`), so no
// compiler is needed, and nothing is checked here: `npm run types` does that.
import { rolldown } from "rolldown";
import { dts } from "rolldown-plugin-dts";

/** `entries` are names of files in `dir`, and the sources they are made of. */
export async function bundleDeclarations({ root, dir, entries }) {
  const nameOf = (id) =>
    Object.keys(entries).find((name) => id.endsWith(`/${entries[name].replace(/\.ts$/, ".d.ts")}`));
  const bundle = await rolldown({
    cwd: root,
    platform: "node",
    input: entries,
    external: /^[^./]/,
    treeshake: { moduleSideEffects: false },
    plugins: [dts({ cwd: root, generator: "oxc", emitDtsOnly: true })],
  });
  await bundle.write({
    dir,
    format: "esm",
    entryFileNames: ({ name, facadeModuleId }) =>
      `${name.endsWith(".d") ? `${nameOf(facadeModuleId)}.d` : name}.js`,
    chunkFileNames: "[name].js",
    codeSplitting: { groups: [{ name: "shared.d", test: /\.d\.ts$/, minShareCount: 2 }] },
  });
  await bundle.close();
}
