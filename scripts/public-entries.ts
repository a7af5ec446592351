/** What others import, as `exports` of the manifest names it, and the sources it is made of. */
export const publicEntries: Record<string, string> = {
  index: "src/index.ts",
  format: "src/format/index.ts",
  runners: "src/agents/runners/index.ts",
  hooks: "src/doors/hooks/index.ts",
  mcp: "src/doors/mcp/index.ts",
  fleet: "src/fleet/index.ts",
};
