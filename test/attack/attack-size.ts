import fs from "node:fs";

/** How often an attack is tried: `npm run test:attack` asks for all of it, the default tests for what they have time for. */
export function attackSize({ small, full }: { small: number; full: number }): number {
  return process.env["ATTACK_REPORT"] === undefined ? small : full;
}

/** A line of counts for `npm run test:attack`, which prints them all at the end. */
export function reportAttack(name: string, counts: Record<string, number>): void {
  const file = process.env["ATTACK_REPORT"];
  const words = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
  if (file !== undefined) fs.appendFileSync(file, `${name}: ${words.join(", ")}\n`);
}
