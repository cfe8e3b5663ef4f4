/** What can be wrong with a series. */
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
  | "wrong_unit"
  | "shift";

/** What was found in a series; nothing is repaired. */
export interface Finding {
  /** What it is. */
  readonly kind: FindingKind;
  /** Position of the first value concerned. */
  readonly from: number;
  /** Position after the last one. */
  readonly to: number;
  /** What was found, in words. */
  readonly message: string;
}

/** Marks the values that findings concern with 1. */
export function buildMask(findings: readonly Finding[], length: number): Uint8Array {
  const mask = new Uint8Array(length);
  for (const { from, to } of findings) mask.fill(1, from, to);
  return mask;
}
