/**
 * Makes text that came from a task unable to open or close a tag: every `<` becomes `&lt;`. For notifications, which other
 * programs parse (docs/format.md), and for words among our own; an output as a whole keeps more of its brackets (disarm-tags.ts).
 *
 * Every one, not only those before a known name, so that no list of names must be kept and no lenient
 * reader (`< /result>`) can see a tag. `&` stays as it is: nothing decodes the text again before it is
 * read, and the unchanged text is in the task's output.
 */
export function neutraliseTags(text: string): string {
  return text.replaceAll("<", "&lt;");
}
