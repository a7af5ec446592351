import { TranscriptBuilder, type TranscriptBuilderOptions } from "../support/transcript-builder.ts";

const ANSWER = `# What is wrong

The sum is **a string**, because the prices come from a form:

1. \`readForm()\` returns text.
2. \`total()\` adds it up:

\`\`\`ts
export function total(prices: string[]): number {
  // "1" + "2" is "12".
  return prices.reduce((sum, price) => sum + price, 0);
}
\`\`\`

| price | total | expected |
| ----- | ----: | -------: |
| 1     |     1 |        1 |
| 2     |    12 |        3 |

> Numbers from forms are always text. See [the handbook](https://example.com/forms).
`;

/** A conversation with everything that an answer is formatted with: 標題, lists, code, a table, an edit with its difference. */
export function sessionWithMarkdown(options: TranscriptBuilderOptions): TranscriptBuilder {
  const session = new TranscriptBuilder(options);
  session.prompt("Why is the total of the cart wrong? 合計が違う 🛒");
  session.reply({ type: "thinking", thinking: "It may add strings.", signature: "AAAA" }, "I read the cart.");
  session.callTools({
    name: "Read",
    input: { file_path: `${options.cwd}/src/cart.ts` },
    result: "export function total(prices) {\n\treturn prices.reduce((sum, price) => sum + price, 0);\n}\n",
  });
  session.reply(ANSWER);
  session.prompt("Fix it");
  session.callTools({
    name: "Edit",
    input: {
      file_path: `${options.cwd}/src/cart.ts`,
      old_string: "  return prices.reduce((sum, price) => sum + price, 0);",
      new_string: "  return prices.reduce((sum, price) => sum + Number(price), 0);",
    },
    result: "The file has been updated.",
  });
  session.reply("It adds **numbers** now.");
  session.meta("custom-title", { customTitle: "The total of the cart" });
  return session;
}
