// Brings the search index up to date and says so: update-index.ts CONFIG_DIR HOME
import { updateIndex } from "../../src/search/index.ts";

const [configDir = "", home = ""] = process.argv.slice(2);
console.log("started");
const { documents } = await updateIndex({ configDir, home });
console.log(`done ${documents}`);
