/** Memory and time of a piece of work in a separate process. */
export interface Growth {
  /** Highest memory of the process during the work less its memory before, bytes. */
  readonly growth: number;
  /** Size of the resulting frame, bytes. */
  readonly frame: number;
  /** Time, ms. */
  readonly milliseconds: number;
}
