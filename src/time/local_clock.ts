const MICRO = 1000; // nanoseconds
const MILLI = 1000; // microseconds

/**
 * How to tell the two passes of a repeated hour apart: by the order of the rows, in which equal neighbours are either
 * both passes ("order") or copies; or all stamps are in the same pass.
 */
export type PassRule = "order" | "copies" | "earlier" | "later";

/** Stamps of a repeated hour, in the order of the rows. */
interface RepeatedHour {
  /** Instant at which the clock goes back, ms since 1970 UTC. */
  readonly change: number;
  /** Line and stamp of its first row. */
  readonly line: number;
  readonly local: number;
  /** The stamp before. */
  last: number;
  /** How often the stamps stepped back. */
  returns: number;
  /** Whether the file marks the pass of some of them. */
  marked: boolean;
  /** Stamps before they stepped back, and after that. */
  readonly first: Set<number>;
  readonly second: Set<number>;
}

/** Converts local stamps of a zone to instants. */
export type LocalClock = ReturnType<typeof buildLocalClock>;

/**
 * Makes the clock of a zone.
 *
 * @param rule How to tell the two passes of a repeated hour apart
 */
export function buildLocalClock(zone: string, rule: PassRule = "order") {
  /** Local stamps in this range have only this offset. All in microseconds. */
  let [from, to, offset] = [NaN, NaN, 0];
  /** The repeated hour of the stamp before, if it was in one. */
  let hour: RepeatedHour | undefined;
  const hours: RepeatedHour[] = [];

  /**
   * Converts a local stamp to its instant, microseconds since 1970; NaN if the clock skips it.
   *
   * @param pass Its pass of a repeated hour. @default by the rule
   */
  function toInstant(local: number, line: number, pass?: "earlier" | "later"): number {
    if (local >= from && local < to) {
      hour = undefined;
      return local - offset;
    }
    const clock = Temporal.Instant.fromEpochMilliseconds(Math.floor(local / MILLI))
      .toZonedDateTimeISO("UTC").toPlainDateTime();
    const earlier = clock.toZonedDateTime(zone, { disambiguation: "earlier" });
    if (!earlier.toPlainDateTime().equals(clock)) return NaN;
    const later = clock.toZonedDateTime(zone, { disambiguation: "later" });
    let time = earlier;
    if (later.offsetNanoseconds === earlier.offsetNanoseconds) {
      hour = undefined;
      remember(earlier);
    } else if (isLater(local, line, earlier, pass)) time = later;
    return local - time.offsetNanoseconds / MICRO;
  }

  /** Whether a stamp of a repeated hour is in its second pass: after the stamps stepped back. */
  function isLater(
    local: number,
    line: number,
    earlier: Temporal.ZonedDateTime,
    pass?: "earlier" | "later",
  ): boolean {
    if (rule === "earlier" || rule === "later") return (pass ?? rule) === "later";
    const change = earlier.getTimeZoneTransition("next")!.epochMilliseconds;
    if (hour?.change !== change) {
      const [first, second] = [new Set([local]), new Set<number>()];
      const marked = pass !== undefined;
      const returns = Number(pass === "later");
      hour = { change, line, local, last: local, returns, marked, first, second };
      hours.push(hour);
      return pass === "later";
    }
    if (pass !== undefined) {
      hour.marked = true;
      hour.last = local;
      if (pass === "later") hour.returns ||= 1;
      return pass === "later";
    }
    if (local < hour.last || local === hour.last && rule === "order") hour.returns++;
    hour.last = local;
    (hour.returns === 0 ? hour.first : hour.second).add(local);
    return hour.returns > 0;
  }

  /** Stores the offset of a time, and the range of stamps that certainly have it. */
  function remember(time: Temporal.ZonedDateTime): void {
    const start = time.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
    const end = time.getTimeZoneTransition("next");
    const micros = (instant: Temporal.ZonedDateTime) => instant.epochMilliseconds * MILLI;
    const before = start?.subtract({ nanoseconds: 1 }).offsetNanoseconds ?? 0;
    offset = time.offsetNanoseconds / MICRO;
    from = start ? micros(start) + Math.max(offset, before / MICRO) : -Infinity;
    to = end ? micros(end) + Math.min(offset, end.offsetNanoseconds / MICRO) : Infinity;
  }

  /**
   * Finds line and stamp of the first repeated hour whose passes the order of the rows does not show: the stamps did
   * not step back, or more than once, or most of them are in one pass only, as with unsorted or duplicate rows.
   */
  function findUnclearHour(): { readonly line: number; readonly local: number } | undefined {
    return hours.find(({ returns, marked, first, second }) =>
      !marked &&
      (returns !== 1 || 2 * first.intersection(second).size < first.union(second).size)
    );
  }

  return { toInstant, findUnclearHour };
}
