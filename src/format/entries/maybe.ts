import type { z } from "zod";

/** Keys that an object may lack and that, where it has them, hold values of one sort. */
export function maybe<Schema extends z.ZodType, Key extends string>(
  schema: Schema,
  ...keys: Key[]
): Record<Key, z.ZodExactOptional<Schema>> {
  const optional = schema.exactOptional();
  return Object.fromEntries(keys.map((key) => [key, optional])) as Record<Key, typeof optional>;
}
