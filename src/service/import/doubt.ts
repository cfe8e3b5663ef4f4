import type { ClockLag } from "../../screening/finding.ts";

/** What a person must act on. */
export interface Doubt {
  readonly text: string;
  /** What turbines share that have the same doubt, with other figures: it is said once of them. */
  readonly cause: string;
  /** Lag of a clock that is wrong in the whole record. */
  readonly lag?: ClockLag | undefined;
}
