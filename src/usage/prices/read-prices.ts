import { isJsonObject } from "../../format/json-object.ts";
import { holdfastPaths } from "../../format/paths.ts";
import type { ModelPrice, PriceOverrides } from "./price.ts";
import { readConfig } from "../../store/read-config.ts";
import { pricesInvalid } from "../errors.ts";

/**
 * The prices that `config.json` of the home gives under `prices`: by model, dollars for a million tokens. Throws
 * `prices_invalid` rather than reckon with prices that somebody meant otherwise.
 */
export function readPrices(home: string): PriceOverrides {
  const { prices = {} } = readConfig(home);
  const file = holdfastPaths(home).configFile;
  return Object.fromEntries(
    Object.entries(prices).map(([model, price]) => [model, checkPrice(file, model, price)]),
  );
}

const priceKeys: readonly string[] = ["input", "output", "cacheWrite5m", "cacheWrite1h", "cacheRead"];

function checkPrice(file: string, model: string, price: unknown): ModelPrice {
  if (!isJsonObject(price)) throw pricesInvalid(file, `that of ${model} is not an object`);
  for (const [key, value] of Object.entries(price)) {
    if (!priceKeys.includes(key))
      throw pricesInvalid(file, `${model} has the key ${key}; there are ${priceKeys.join(", ")}`);
    if (typeof value !== "number" || !(value >= 0))
      throw pricesInvalid(file, `${model}.${key} is not a number of dollars`);
  }
  if (price["input"] === undefined || price["output"] === undefined)
    throw pricesInvalid(file, `${model} needs input and output`);
  return price as unknown as ModelPrice;
}
