/** What somebody says about a line of a difference, or about a file. */
export interface ReviewComment {
  path: string;
  line?: number;
  side?: "old" | "new";
  /** The line as it was shown. */
  quote?: string;
  text: string;
}

/** Comments as one message for an agent, in the order of the files. */
export function reviewMessage(comments: readonly ReviewComment[], text?: string): string {
  const byFile = Map.groupBy(comments, ({ path }) => path);
  const files = [...byFile].map(([path, ofFile]) => {
    const sorted = ofFile.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
    return [`## ${path}`, ...sorted.map(commentText)].join("\n\n");
  });
  return ["Review of your changes:", ...(text ? [text] : []), ...files].join("\n\n");
}

function commentText({ line, side = "new", quote, text }: ReviewComment): string {
  const place = line === undefined ? [] : [`Line ${line}${side === "old" ? " (before the change)" : ""}:`];
  const quoted = quote === undefined ? [] : [quote.replace(/^/gm, "> ")];
  return [...place, ...quoted, text].join("\n");
}
