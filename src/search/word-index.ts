import { isPacked } from "../store/archive/read-packed.ts";
import {
  CoveredFiles,
  isCurrent,
  type CoveredFile,
  type FileState,
  type LookedAtFile,
} from "../store/index/covered-files.ts";
import type { DerivedIndex } from "../store/index/derived-index.ts";
import type { FileCoverage } from "../store/index/file-coverage.ts";
import { searchedText } from "./entry-document.ts";
import { indexForm } from "./index-form.ts";
import type { PreparedDocument } from "./prepare-documents.ts";

/**
 * The words of transcripts in the index: which a line has and where the line stands, never its text. Whatever changes it is
 * called in a write of the index.
 */
export class WordIndex {
  /** The size that is kept of a file is how far it is covered: for the index, it ends there. */
  readonly files: CoveredFiles;
  readonly #index: DerivedIndex;

  constructor(index: DerivedIndex) {
    this.#index = index;
    this.files = new CoveredFiles(index, "words");
  }

  hasAny(): boolean {
    return this.#index.row("SELECT 1 FROM documents LIMIT 1") !== undefined;
  }

  /** Whether documents and their words end at the same number, as they do unless rows were lost. */
  get isWhole(): boolean {
    const ends = this.#index.row(
      "SELECT (SELECT max(id) FROM documents), (SELECT max(id) FROM words_docsize)",
    );
    return ends === undefined || ends[0] === ends[1];
  }

  /** How a transcript is related to what the index holds of it. */
  stateOf(transcript: LookedAtFile, known: CoveredFile | undefined): FileState {
    if (!known) return "changed";
    // A packed one never grows, and it would be unpacked to look.
    if (isPacked(transcript.path)) return isCurrent(known, transcript) ? "current" : "changed";
    return this.files.stateOf(transcript, known);
  }

  /** Whether the transcript is, or begins with, what the index holds of it. */
  holds(transcript: LookedAtFile, known: CoveredFile | undefined): boolean {
    const state = this.stateOf(transcript, known);
    return state === "current" || state === "grown";
  }

  /**
   * Takes in the part of a file from `from` to where the coverage ends. From 0, it takes the place of all that was taken in
   * before. From anywhere else it goes on where the index ends; if it does not, nothing is taken in.
   */
  addPart(
    { path, from }: { path: string; from: number },
    documents: readonly PreparedDocument[],
    coverage: Omit<FileCoverage, "size">,
  ): void {
    const known = this.files.find(path);
    if (from > 0 && known?.size !== from) return;
    if (from === 0 && known) this.#forgetDocuments(known.id);
    const file = this.files.cover(path, { ...coverage, size: coverage.to });
    for (const document of documents) this.#addDocument(file, document);
  }

  forgetFile(file: number): void {
    this.#forgetDocuments(file);
    this.files.forget(file);
  }

  forgetAll(): void {
    this.#index.run("INSERT INTO words (words) VALUES ('delete-all')");
    this.#index.run("DELETE FROM documents");
    this.#index.run("DELETE FROM files WHERE part = 'words'");
  }

  count(): { files: number; documents: number } {
    const counts = this.#index.row(
      "SELECT (SELECT count(*) FROM files WHERE part = 'words'), (SELECT count(*) FROM documents)",
    );
    const [files = 0, documents = 0] = (counts ?? []) as number[];
    return { files, documents };
  }

  #addDocument(file: number, document: PreparedDocument): void {
    const { offset, length, at, role, type, tools, blocks } = document;
    const id = this.#index.run(
      "INSERT INTO documents (file, offset, length, at, role, type, tools) VALUES (?, ?, ?, ?, ?, ?, ?)",
      file,
      offset,
      length,
      at,
      role,
      type,
      tools,
    );
    // Cut into words only now, so that the words of one document at a time are in memory.
    const { parts, whole } = indexForm(searchedText(blocks));
    this.#index.run("INSERT INTO words (rowid, parts, whole) VALUES (?, ?, ?)", id, parts, whole);
  }

  #forgetDocuments(file: number): void {
    // One by one, because a virtual table would be walked from end to end for a list of them.
    for (const [id] of this.#index.rows("SELECT id FROM documents WHERE file = ?", file))
      this.#index.run("DELETE FROM words WHERE rowid = ?", id as number);
    this.#index.run("DELETE FROM documents WHERE file = ?", file);
  }
}
