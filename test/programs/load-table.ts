// Loads the offset table of a growing transcript again and again, and fails when it is not what a scan gives.
// Usage: load-table.ts <file> <index folder> <times>
import fs from "node:fs";
import { loadLineTable } from "../../src/store/offset-table.ts";

const [file = "", indexDir = "", times = "1"] = process.argv.slice(2);
for (let time = 0; time < Number(times); time++) {
  const fd = fs.openSync(file, "r");
  const kept = await loadLineTable(file, fd, { indexDir });
  const scanned = await loadLineTable(file, fd);
  fs.closeSync(fd);
  // The file may have grown in between; what the kept table knows must be how the scanned one begins.
  const isSame = kept.offset.subarray(0, kept.count).every((offset, line) => offset === scanned.offset[line]);
  if (!isSame || kept.count > scanned.count) throw new Error(`The kept table differs in round ${time}`);
}
