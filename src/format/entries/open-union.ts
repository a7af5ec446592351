import { z } from "zod";

/**
 * A value of the key that is none of the known ones. TypeScript has no type for "any other text", and a plain string would
 * include the known values, so that comparing the key with one of them would not narrow the union. This pattern, which no
 * known value matches, stands for it: it is for the compiler only, the text itself has no mark.
 */
export type UnknownType = `${string}?`;

export interface OpenUnionParts {
  /** The key that says which schema applies. */
  readonly key: string;
  readonly known: Readonly<Record<string, z.ZodType>>;
  /** Checks objects whose key has no known value, or is missing; by default, that it is there. */
  readonly other?: z.ZodType;
}

/**
 * For each value of the key its schema, which says the rest. The compiler sees that none is missing and that each agrees
 * with its type.
 */
export type SchemasBy<Key extends string, Known extends Record<Key, string>> = {
  readonly [Value in Known[Key]]: z.ZodType<Omit<OfValue<Key, Known, Value>, Key>>;
};

type OfValue<Key extends string, Known extends Record<Key, string>, Value> = Known extends unknown
  ? Value extends Known[Key]
    ? Known
    : never
  : never;

/**
 * An object schema that dispatches on a text key: a known value is checked by its own schema, an unknown
 * one only by `other`, and keeps all its keys. So a new client version adds to what we read and never
 * breaks it, while a known type with a wrong shape is still refused.
 */
export function openUnion<T>({
  key,
  known,
  other = z.looseObject({ [key]: z.string() }),
}: OpenUnionParts): z.ZodType<T> {
  const schemas = new Map(Object.entries(known));
  const schema = z.looseObject({}).check((context) => {
    const discriminant = context.value[key];
    const chosen = (typeof discriminant === "string" ? schemas.get(discriminant) : undefined) ?? other;
    for (const issue of chosen.safeParse(context.value).error?.issues ?? []) {
      const { path, message } = locateIssue(issue);
      context.issues.push({ code: "custom", input: context.value, path: [...path], message });
    }
  });
  // The compiler cannot see that the parts and T describe the same shapes; the tests of each caller do.
  return schema as unknown as z.ZodType<T>;
}

type Located = Pick<z.core.$ZodIssue, "path" | "message">;

/** Of a failed choice, the branch that got furthest says best what is wrong. */
function locateIssue(issue: z.core.$ZodIssue): Located {
  if (issue.code !== "invalid_union") return issue;
  let furthest: Located = { path: [], message: issue.message };
  for (const inner of issue.errors.flat().map(locateIssue)) {
    if (inner.path.length > furthest.path.length) furthest = inner;
  }
  return { path: [...issue.path, ...furthest.path], message: furthest.message };
}
