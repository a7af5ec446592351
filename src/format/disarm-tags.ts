/**
 * Makes text from elsewhere unable to open or close a tag that a model could take for one of the client's or of ours: the
 * `<` of such a tag becomes `&lt;`, or what is given instead. Everything else stays: a model that reads what a compiler or
 * a test printed must see `vector<int>`, `<div>` and `a < b` as they are.
 *
 * The client names most of its tags with a hyphen, and no language writes types so; hence every tag with one counts, and
 * those that the client will have tomorrow. The others are listed. A closing tag counts in any case of its letters; an
 * opening one of a single word only in small letters, because `Result<Error>` is a type.
 */
export function disarmTags(text: string, instead = "&lt;"): string {
  return text.includes("<") ? text.replace(lookalike, instead) : text;
}

// Two words however they are joined: these two are believed whatever stands between.
const joined = String.raw`system[\s_.]*reminder|task[\s_.]*notification`;
// Of the client's tools and ours, of its conversations, and of what a model is given around them.
const words =
  "retrieval_status|task_id|task_type|status|exit_code|error|output|result|summary|note|usage|total_tokens|subagent_tokens|" +
  "tool_uses|duration_ms|tool_use_error|tool_use|tool_result|function_calls|function_results|invoke|parameter|thinking|" +
  "system|human|assistant|user";
// Also as JSON writes it.
const space = String.raw`(?:\s|\\[nrt])*`;
const nameEnd = String.raw`(?![\p{L}\p{N}_.:])`;
const hyphened = String.raw`\p{L}[\p{L}\p{N}_]*(?:\p{Pd}[\p{L}\p{N}_]+)+(?=[\s\\/>])[^<>]*>`;
const anyCase = (name: string): string =>
  name.replaceAll(/(?<!\\)[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

const lookalike = new RegExp(
  [
    `<(?=${space}(?:/${space})?(?:${anyCase(joined)}|[aA][nN][tT][mM][lL]:|${hyphened}))`,
    `<(?=${space}(?:${words})${nameEnd})`,
    `<(?=${space}/${space}(?:${anyCase(words)})${nameEnd})`,
  ].join("|"),
  "gu",
);
