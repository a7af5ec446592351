/** As much of JSON Schema as settings are described with. */
export interface Schema {
  readonly type: "object" | "array" | "string" | "boolean" | "integer" | "number";
  readonly description?: string;
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  /** Of an object whose keys are names of the user's. */
  readonly additionalProperties?: Schema | false;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly pattern?: string;
  /** Values of the pattern. */
  readonly examples?: readonly string[];
  readonly minLength?: number;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
}

/**
 * What is wrong with a value, in words that begin with its name; undefined when nothing is. Names that a schema does not
 * know are left alone, unless it says that there are no others.
 */
export function whatIsWrong(value: unknown, schema: Schema, name: string): string | undefined {
  if (!isOfType(value, schema)) return `${name} must be ${typeNames[schema.type]}`;
  if (schema.enum && !schema.enum.includes(value as string))
    return `${name} must be one of ${schema.enum.join(", ")}`;
  if (typeof value === "string") {
    if (value.length < (schema.minLength ?? 0)) return `${name} must not be empty`;
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value))
      return `${name} must be like ${schema.examples?.join(" or ")}`;
  }
  if (typeof value === "number" && !isInRange(value, schema)) return `${name} is too small`;
  if (Array.isArray(value))
    return first(value, (item) => whatIsWrong(item, schema.items!, `an item of ${name}`));
  return schema.type === "object" ? whatIsWrongInside(value as object, schema, name) : undefined;
}

const typeNames = {
  object: "an object",
  array: "a list",
  string: "text",
  boolean: "true or false",
  integer: "a whole number",
  number: "a number",
} as const;

function isOfType(value: unknown, { type }: Schema): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    case "integer":
      return Number.isSafeInteger(value);
    default:
      return typeof value === type;
  }
}

function isInRange(value: number, { minimum = -Infinity, exclusiveMinimum = -Infinity }: Schema): boolean {
  return value >= minimum && value > exclusiveMinimum;
}

function whatIsWrongInside(
  value: object,
  { properties = {}, additionalProperties, required = [] }: Schema,
  name: string,
): string | undefined {
  const wrong = first(Object.entries(value), ([key, inner]) => {
    // A model may be called `constructor`, which every object has.
    const schema = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    if (schema === false)
      return `${name} has the key ${key}; there are ${Object.keys(properties).join(", ")}`;
    return schema && whatIsWrong(inner, schema, within(name, key));
  });
  const missing = required.find((key) => !Object.hasOwn(value, key));
  return wrong ?? (missing === undefined ? undefined : `${name} has no ${missing}`);
}

function within(name: string, key: string): string {
  return name === "" ? `"${key}"` : `${name.slice(0, -1)}.${key}"`;
}

function first<Item>(items: readonly Item[], ask: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const wrong = ask(item);
    if (wrong !== undefined) return wrong;
  }
  return undefined;
}
