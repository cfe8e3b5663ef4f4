/** Kinds of problems in a series. */
export type FindingKind =
  | "out_of_range"
  | "standstill"
  | "idle"
  | "stuck"
  | "flat"
  | "gap"
  | "duplicate"
  | "unsorted"
  | "resolution"
  | "clock"
  | "clock_change"
  | "clock_step"
  | "wrong_unit"
  | "shift";

/** Lag of a clock behind the model in the standard and in the summer time of a zone, whole hours. */
export interface ClockLag {
  readonly standard: number;
  readonly summer: number;
}

/** A problem found in a series; nothing is repaired. */
export interface Finding {
  /** Kind of problem, which has its own remedy. */
  readonly kind: FindingKind;
  /** Position of the first value concerned. */
  readonly from: number;
  /** Position after the last one. */
  readonly to: number;
  /** One sentence without its period. */
  readonly message: string;
  /** What to do, in one sentence without its period. @default the remedy of its kind */
  readonly remedy?: string;
  /** Lag of a clock that is wrong in the whole record. */
  readonly lag?: ClockLag;
}

/** Builds a mask of 1 for values in findings and 0 for others. */
export function buildMask(findings: readonly Finding[], length: number): Uint8Array {
  const mask = new Uint8Array(length);
  for (const { from, to } of findings) mask.fill(1, from, to);
  return mask;
}
