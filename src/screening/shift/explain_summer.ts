import { HOUR } from "../../time/hour_axis.ts";
import { zoneOfOffset } from "../../time/zones.ts";
import type { SummerLag } from "./summer_lag.ts";

/** What a lag that changes with summer time comes of, and what to do. */
interface SummerCause {
  /** The cause, as the end of a sentence. */
  readonly cause: string;
  /** What to do, in one sentence without its period. @default that of all such findings */
  readonly remedy?: string;
}

/**
 * Explains a lag that changes with summer time by the zone in which the stamps were read: another zone cures it only
 * where theirs is the wrong kind.
 *
 * @param standard Its offset from UTC in winter, ms
 * @param stamps Zone in which stamps were read, and whether it has summer time; `undefined` where it is not known
 */
export function explainSummer(
  lag: SummerLag,
  timeZone: string,
  standard: number,
  stamps: { readonly zone: string; readonly summerTime: boolean } | undefined,
): SummerCause {
  const isLocal = lag.summer > lag.standard;
  const cause = isLocal
    ? "as of local time read as UTC or at a fixed offset from it"
    : "as of UTC, or a fixed offset from it, read as local time";
  if (!stamps) return { cause };
  const { zone, summerTime } = stamps;
  if (isLocal === summerTime) {
    return {
      cause: `though the stamps are declared ${zone}, which ${
        summerTime ? "has" : "has no"
      } summer time`,
      remedy:
        "No other zone cures this: whatever wrote the file has converted its times once too " +
        "often. Ask for an export with the times as they were recorded",
    };
  }
  const fixed = standard / HOUR + Math.round(lag.standard);
  const right = isLocal ? timeZone : zoneOfOffset(fixed < 0 ? "-" : "+", Math.abs(fixed));
  if (right === undefined || !isLocal && !Number.isInteger(fixed)) return { cause };
  return {
    cause: `as of stamps of ${right} that are read as ${zone}`,
    remedy: `Read them as ${right}` +
      (isLocal
        ? ". Where an hour is refused that its clock skips in spring, ask what wrote the file"
        : ", in a copy of the file that has only one of the two rows of each hour that the clock " +
          "repeats in autumn: both would be refused as duplicated"),
  };
}
