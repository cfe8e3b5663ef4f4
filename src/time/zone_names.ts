import { zoneOfOffset } from "./zones.ts";

const HOUR = 3600 * 1e6; // microseconds

/** Hours ahead of UTC that names of zones mean; of some names several, in other countries. */
const KNOWN: Readonly<Record<string, readonly number[]>> = {
  ...{ UTC: [0], GMT: [0], WET: [0], WEZ: [0], WEST: [1], WESZ: [1], BST: [1] },
  ...{ CET: [1], MEZ: [1], MET: [1], CEST: [2], MESZ: [2], MEST: [2] },
  ...{ EET: [2], OEZ: [2], EEST: [3], OESZ: [3], MSK: [3], IST: [1, 2, 5.5], SAST: [2] },
  ...{ NST: [-3.5], NDT: [-2.5], AST: [-4, 3], ADT: [-3], EST: [-5, 10], EDT: [-4, 11] },
  ...{ CST: [-6, 8, 9.5], CDT: [-5, 10.5], MST: [-7], MDT: [-6], PST: [-8], PDT: [-7] },
  ...{ AEST: [10], AEDT: [11], ACST: [9.5], ACDT: [10.5], AWST: [8], NZST: [12], NZDT: [13] },
};

/**
 * Offsets of the names of zones in a file, as "MESZ" and "MEZ", or "S" and "D": those of the stamps that can have one offset
 * only say what a name means in a repeated hour.
 */
export class ZoneNames {
  readonly #offsets = new Map<string, number>();

  /**
   * Learns the offset of a name; returns the sentence that refuses it.
   *
   * @param offset Microseconds by which the clock of the zone is ahead of UTC at its stamp
   * @param timeZone The declared zone
   */
  learn(name: string, offset: number, timeZone: string): string | undefined {
    const before = this.#offsets.get(name);
    if (before === offset || Number.isNaN(before)) return undefined;
    const known = KNOWN[name.toUpperCase()];
    if (known && !known.includes(offset / HOUR)) {
      return `"${name}" is ${formatOffset(known[0])}, and the clock of ${timeZone} is ${
        formatOffset(offset / HOUR)
      } at that time. Declare the time_zone in which all of these names are right${
        adviseFixed(known[0])
      }`;
    }
    if (before !== undefined && name === "") this.#offsets.set(name, NaN); // names are elsewhere only
    else if (before !== undefined) {
      return `"${name}" is ${formatOffset(before / HOUR)} in rows above and ${
        formatOffset(offset / HOUR)
      } here, by the clock of ${timeZone}. Put it in brackets in time_format, as [${name}], if ` +
        "all rows have it, or declare it as X if it marks the repeated hour";
    } else this.#offsets.set(name, offset);
  }

  /** The offsets that a name may have, microseconds; none where it is not known. */
  find(name: string): readonly number[] {
    const learned = this.#offsets.get(name);
    if (learned !== undefined) return Number.isNaN(learned) ? [] : [learned];
    return (KNOWN[name.toUpperCase()] ?? []).map((hours) => hours * HOUR);
  }
}

/** Names the zone in which all rows have one offset, of whole hours. */
function adviseFixed(hours: number): string {
  const zone = Number.isInteger(hours) && zoneOfOffset(hours < 0 ? "-" : "+", Math.abs(hours));
  return zone ? `, as "${zone}" if all rows have that one` : "";
}

/** Says how far a clock is ahead of UTC: "UTC+1", "UTC-3:30". */
function formatOffset(hours: number): string {
  if (hours === 0) return "UTC";
  const minutes = Math.round(Math.abs(hours) % 1 * 60);
  return `UTC${hours < 0 ? "-" : "+"}${Math.floor(Math.abs(hours))}${
    minutes === 0 ? "" : `:${String(minutes).padStart(2, "0")}`
  }`;
}
