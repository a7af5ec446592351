/** A letter or digit of ASCII. */
export function isWordByte(byte: number): boolean {
  return (byte >= 0x30 && byte <= 0x39) || isCapital(byte) || (byte >= 0x61 && byte <= 0x7a);
}

export function isCapital(byte: number): boolean {
  return byte >= 0x41 && byte <= 0x5a;
}
