import { formatCount, plural } from "../lib/quantities.ts";
import type { Rejection } from "../store/line/rejection.ts";

/** Where a line stands that is no entry, and why it is none, in words. */
export function rejectionText({ offset, length, reason }: Rejection): string {
  return `byte ${formatCount(offset)}, ${plural(length, "byte")}: ${reasons[reason]}`;
}

const reasons: Readonly<Record<Rejection["reason"], string>> = {
  torn: "torn, its writer was cut off or is still writing",
  glued: "two lines without a newline between them",
  "nul-bytes": "zero bytes, as a power failure leaves them",
  "too-long": "longer than any line may be",
  "not-json": "not JSON",
  "not-an-object": "JSON, but not an object",
  "no-type": "an object without a type",
};
