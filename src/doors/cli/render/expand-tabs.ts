/** A tab takes as many cells as the terminal likes: what is measured, cut or drawn over has spaces in its place. */
export function expandTabs(text: string): string {
  return text.replaceAll("\t", "    ");
}
