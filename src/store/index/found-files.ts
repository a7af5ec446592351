import type { CoveredFiles, LookedAtFile } from "./covered-files.ts";

/** Which of the covered files were found: one by one, or a folder at once, whose ids are read only for who needs them. */
export class FoundFiles {
  readonly #files: CoveredFiles;
  readonly #ids = new Set<number>();
  readonly #folders: string[] = [];
  #inFolders = 0;

  constructor(files: CoveredFiles) {
    this.#files = files;
  }

  add(id: number): void {
    this.#ids.add(id);
  }

  /** Adds all files of a folder if they are what is covered there; false when they have to be compared one by one. */
  addFolder(dir: string, files: readonly LookedAtFile[]): boolean {
    if (!this.#files.areAsCovered(dir, files)) return false;
    this.#folders.push(dir);
    this.#inFolders += files.length;
    return true;
  }

  get size(): number {
    return this.#ids.size + this.#inFolders;
  }

  get ids(): Set<number> {
    return new Set([...this.#ids, ...this.#folders.flatMap((dir) => this.#files.idsBelow(dir))]);
  }

  areAll(): boolean {
    return this.size === this.#files.count();
  }
}
