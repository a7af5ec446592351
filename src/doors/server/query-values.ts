import { z } from "zod";

// Values of a query arrive as text.

/** A whole number that is not negative. */
export const wholeNumber: z.ZodType<number, string> = z
  .string()
  .regex(/^\d{1,15}$/, "expected a whole number")
  .transform(Number);

/** `true`, `false`, `1`, `0`; the bare name is true. */
export const flag: z.ZodType<boolean, string> = z
  .enum(["true", "1", "", "false", "0"])
  .transform((text) => text !== "false" && text !== "0");

/** What every list takes. */
export const pageQuery: {
  from: z.ZodExactOptional<typeof wholeNumber>;
  limit: z.ZodExactOptional<typeof wholeNumber>;
} = {
  from: wholeNumber.exactOptional(),
  limit: wholeNumber.exactOptional(),
};

/** The body of a write that says all with its path. */
export const emptyBody: z.ZodType<Record<string, never>> = z.strictObject({});
