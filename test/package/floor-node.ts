import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const withNode = fileURLToPath(new URL("../../scripts/with-node.mjs", import.meta.url));

/** The oldest Node that `engines` promises, fetched through npm unless it is there. */
export const floorNode: string = execFileSync(process.execPath, [withNode, "--fetch", "22.18.0"], {
  encoding: "utf8",
}).trim();
