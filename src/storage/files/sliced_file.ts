/** A part of a file that is being read. */
export interface OpenSlice {
  /** Waits, out of turn, until the next bytes can be read at once; absent where they are read from a disk. */
  load?(): Promise<void>;
  /**
   * Reads the next bytes.
   *
   * @param part Where they are put; fewer may be there than it has room for
   * @returns Number of bytes; 0 where the file has ended
   */
  read(part: Uint8Array): Promise<number>;
  close(): void;
}

/** A file of which parts can be read. */
export interface SlicedFile {
  /** Where it is, as messages name it. */
  readonly path: string;
  /**
   * Opens a part.
   *
   * @param from First byte
   * @param to Position after the last byte
   */
  open(from: number, to: number): Promise<OpenSlice>;
}
