const units: Readonly<Record<string, number>> = {
  "": 1,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
};

/** A size in bytes: `500k`, `20m`, `1g`. */
export function parseSize(text: string): number {
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)([kmgt]?)b?$/i.exec(text) ?? [];
  if (number === undefined || Number(number) === 0)
    throw new RangeError("It must be a size such as 500k, 20m or 1g.");
  return Math.floor(Number(number) * units[unit.toLowerCase()]!);
}
