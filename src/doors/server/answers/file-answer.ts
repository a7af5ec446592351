/** A file as an answer: whole, or by ranges when its size is known. */
export type FileAnswer = WholeFile | RangedFile;

interface NamedFile {
  contentType: string;
  /** Offered for saving under this name; without one it is shown. */
  fileName?: string;
}

export interface WholeFile extends NamedFile {
  body: string | Uint8Array | AsyncIterable<string | Uint8Array>;
}

export interface RangedFile extends NamedFile {
  bytes: number;
  /** The bytes from `from` to before `to`, piece by piece. */
  read(from: number, to: number): AsyncIterable<Uint8Array>;
}
