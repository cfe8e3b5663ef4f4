import { SYNTHETIC } from "../api/world.ts";

let used = false;

/** Remembers that this process has shown figures of the sample: what it shows from then on without a source may be invented. */
export function noteSampleUse(): void {
  used = true;
}

/** Whether this process has used the sample. */
export function hasUsedSample(): boolean {
  return used;
}

/** The line in place of a source where it is not stated. */
export function formatMissingSource(): string {
  return used
    ? `Source: not stated. ${SYNTHETIC} figures of the sample were used in this process`
    : "Source: not stated";
}
