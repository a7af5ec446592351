import fs from "node:fs";
import type * as list from "@pydantic/genai-prices";
import type { MatchLogic, ModelInfo, ModelPrice, Provider } from "@pydantic/genai-prices";

/** What the list says that a model cost at a moment. */
export type PriceAt = (moment: Date) => ModelPrice;

/**
 * Finds models in the list of prices that came with the package. The whole list takes longer to load than anything that is
 * priced takes to count, so the build puts the few models that nearly everybody asks for into a file of their own.
 */
export function openPriceList(): (name: string) => PriceAt | undefined {
  const claude = readClaudeModels();
  return (name) => (claude && findClaudeModel(claude, name)) ?? findModel(name);
}

/** Of Claude models: how their names look, and their prices. */
export type ClaudeModels = Pick<ModelInfo, "match" | "prices">[];

/** The models that the list finds by a name with "claude" in it; throws where it does not find them as `findClaudeModel` does. */
export function claudeModelsOf(providers: readonly Provider[]): ClaudeModels {
  const [first] = providers;
  if (JSON.stringify(first?.model_match) !== '{"contains":"claude"}')
    throw new Error("the list of prices looks for Claude models in another way");
  return first!.models.map(({ match, prices }) => {
    const constraints = Array.isArray(prices) ? prices.flatMap(({ constraint }) => constraint ?? []) : [];
    if (constraints.some((constraint) => !("start_date" in constraint)))
      throw new Error("the list of prices has one of Claude that depends on the time of day");
    return { match, prices };
  });
}

/** What the list says of a model with "claude" in its name. A name that is not found may still be in the list. */
export function findClaudeModel(models: ClaudeModels, modelName: string): PriceAt | undefined {
  const name = modelName.toLowerCase().trim();
  if (!name.includes("claude")) return undefined;
  const prices = models.find(({ match }) => matches(match, name))?.prices;
  if (!prices) return undefined;
  if (!Array.isArray(prices)) return () => prices;
  return (moment) => {
    const held = prices.findLast(
      ({ constraint }) =>
        !constraint || ("start_date" in constraint && moment >= new Date(constraint.start_date)),
    );
    return (held ?? prices[0]!).prices;
  };
}

function matches(logic: MatchLogic, name: string): boolean {
  if ("or" in logic) return logic.or.some((each) => matches(each, name));
  if ("and" in logic) return logic.and.every((each) => matches(each, name));
  if ("equals" in logic) return name === logic.equals.toLowerCase();
  if ("starts_with" in logic) return name.startsWith(logic.starts_with.toLowerCase());
  if ("ends_with" in logic) return name.endsWith(logic.ends_with.toLowerCase());
  if ("contains" in logic) return name.includes(logic.contains.toLowerCase());
  return new RegExp(logic.regex).test(name);
}

/** Undefined in the clone, where nothing was built. */
function readClaudeModels(): ClaudeModels | undefined {
  try {
    const json = fs.readFileSync(new URL("./claude-prices.json", import.meta.url), "utf8");
    return JSON.parse(json) as ClaudeModels;
  } catch {
    return undefined;
  }
}

function findModel(name: string): PriceAt | undefined {
  const { createRequire } = process.getBuiltinModule("node:module");
  const { calcPrice } = createRequire(import.meta.url)("@pydantic/genai-prices") as typeof list;
  if (!calcPrice({ input_tokens: 1 }, name)) return undefined;
  return (moment) => calcPrice({ input_tokens: 1 }, name, { timestamp: moment })!.model_price;
}
