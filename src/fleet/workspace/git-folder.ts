/**
 * Whether git would take a name for a repository's own folder, here or on another file system: in capitals, as a short
 * name, with dots, spaces or a stream behind it, with characters that are not seen.
 */
export function isGitFolder(part: string): boolean {
  const seen = part
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, "")
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "")
    .toLowerCase();
  return seen === ".git" || /^git~\d+$/.test(seen);
}
