/** Who speaks: results of tools stand in the user's place, but nobody typed them. */
export const documentRoles = ["user", "assistant", "tool", "system"] as const;
export type DocumentRole = (typeof documentRoles)[number];
