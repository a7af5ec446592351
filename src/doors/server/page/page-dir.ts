import { fileURLToPath } from "node:url";

/** The built page: beside this file in the package, in dist/ of a clone. */
export function pageDir(): string {
  const isClone = import.meta.url.endsWith(".ts");
  return fileURLToPath(new URL(isClone ? "../../../../dist/web" : "./web", import.meta.url));
}
