// Reports usage and says so: report-usage.ts CONFIG_DIR HOME PRICES
import { reportUsage, type UsageContext } from "../../src/usage/index.ts";

const [configDir = "", home = "", prices = "{}"] = process.argv.slice(2);
process.stdout.write("started\n");
const context = { configDir, home, prices: JSON.parse(prices) as NonNullable<UsageContext["prices"]> };
const { totals } = await reportUsage(context, { by: "day" });
process.stdout.write(`done ${totals.messages}\n`);
