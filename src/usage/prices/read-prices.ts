import type { ModelPrice, PriceOverrides } from "./price.ts";
import { priceSchema } from "../../store/config/config-schema.ts";
import { configFiles, readConfig, type ConfigPlace } from "../../store/config/read-config.ts";
import { whatIsWrong } from "../../store/config/schema.ts";
import { pricesInvalid } from "../errors.ts";

/**
 * The prices that the settings give under `prices`: by model, dollars for a million tokens. Throws `prices_invalid` rather
 * than reckon with prices that somebody meant otherwise.
 */
export function readPrices(place: ConfigPlace): PriceOverrides {
  const { prices = {} } = readConfig(place);
  for (const [model, price] of Object.entries(prices)) {
    const wrong = whatIsWrong(price, priceSchema, `"${model}"`);
    if (wrong !== undefined) throw pricesInvalid(configFiles(place)[0], wrong);
  }
  return prices as Record<string, ModelPrice>;
}
