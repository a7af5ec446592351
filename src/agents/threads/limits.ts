/** Files that are looked at to complete a name: somebody types, and waits a tenth of a second at most. */
export const filesLookedAtMax = 20_000;
