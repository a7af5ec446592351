/** What has happened before a line of a guide, in lines that bring it about. */
export const situations: readonly { before: RegExp; run: readonly string[] }[] = [
  {
    // A killed agent; one that has answered has nothing left to do.
    before: /^holdfast resume @last$/,
    run: ['holdfast agent "Look with git"', "holdfast stop @last"],
  },
  {
    before: /--request 5f2c91aa$/,
    run: ["until holdfast inspect review --json | grep -q requestId; do :; done"],
  },
  { before: /^holdfast resume review$/, run: ["holdfast stop review"] },
  { before: /^holdfast resume review "/, run: ["holdfast output review"] },
];

/** What stands in a guide for a value that nobody can know, and the command that prints the value. */
export const placeholders: readonly { text: string; command: string }[] = [
  {
    text: "5f2c91aa",
    command: "holdfast inspect review --json | node -p 'JSON.parse(fs.readFileSync(0)).needsInput.requestId'",
  },
];
