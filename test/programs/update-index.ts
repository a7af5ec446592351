// Brings the search index up to date and says so: update-index.ts CONFIG_DIR HOME
import { updateIndex } from "../../src/search/index.ts";

const [configDir = "", home = ""] = process.argv.slice(2);
process.stdout.write("started\n");
const { documents } = await updateIndex({ configDir, home });
process.stdout.write(`done ${documents}\n`);
