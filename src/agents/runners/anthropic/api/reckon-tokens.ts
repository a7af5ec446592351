/** Characters of a token, on the average of text and code. */
const TOKEN_LENGTH = 4;
/** What a picture or a document counts at most, however long its bytes are. */
const MEDIA_TOKENS = 1600;

/** About how many tokens something is that is sent to a model: its text, with pictures as what the API counts for one. */
export function reckonTokens(sent: unknown): number {
  const text = JSON.stringify(sent, (key, value: unknown) =>
    key === "data" && typeof value === "string" ? value.slice(0, MEDIA_TOKENS * TOKEN_LENGTH) : value,
  );
  return Math.ceil(text.length / TOKEN_LENGTH);
}
