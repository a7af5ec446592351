// What npm runs after an install in a clone, and before it packs an install from git: that one needs dist/.
import fs from "node:fs";
import { fileURLToPath } from "node:url";

const isThere = (name) => fs.existsSync(fileURLToPath(new URL(`../${name}`, import.meta.url)));
if (!isThere("dist") && isThere("node_modules/rolldown")) await import("./build.mjs");
