import type { ClockLag } from "../../screening/finding.ts";
import type { StoredDoubt } from "../store/site_record.ts";

/** What a person must act on; turbines that share a cause have it said once. */
export interface Doubt extends StoredDoubt {
  /** Lag of a clock that is wrong in the whole record. */
  readonly lag?: ClockLag | undefined;
}
