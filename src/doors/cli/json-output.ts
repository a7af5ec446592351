import { jsonPieces } from "../../lib/json-pieces.ts";
import type { Output } from "./output.ts";

/** Writes one JSON object, `schemaVersion` first; fields as `jsonPieces` takes them. */
export async function writeJsonObject(output: Output, fields: Record<string, unknown>): Promise<void> {
  for await (const piece of jsonPieces(fields)) await output.write(piece);
  await output.flush();
}
