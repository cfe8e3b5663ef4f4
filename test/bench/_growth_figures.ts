/** What a piece of work took, in a process of its own. */
export interface Growth {
  /** Highest memory of the process during the work less its memory before, bytes. */
  readonly growth: number;
  /** Bytes of the frame that came out. */
  readonly frame: number;
  /** Time, ms. */
  readonly milliseconds: number;
}
