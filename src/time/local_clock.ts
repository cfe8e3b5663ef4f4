const MICRO = 1000; // nanoseconds
const MILLI = 1000; // microseconds

/**
 * How the pass of a stamp of a repeated hour is found: by the order of the rows, in which equal neighbours are two passes,
 * or copies; or each stamp is of the same pass.
 */
export type PassRule = "order" | "copies" | "earlier" | "later";

/** Stamps of an hour that the clock repeats, as they follow each other. */
interface RepeatedHour {
  /** When the clock is put back, ms since 1970 UTC. */
  readonly change: number;
  /** Line and stamp of the first. */
  readonly line: number;
  readonly local: number;
  /** The stamp before. */
  last: number;
  /** How often the stamps went back. */
  returns: number;
  /** Whether a mark in the file names the pass of some. */
  marked: boolean;
  /** Stamps before they went back, and after it. */
  readonly first: Set<number>;
  readonly second: Set<number>;
}

/** Converts local stamps of a zone to instants. */
export class LocalClock {
  readonly #zone: string;
  readonly #rule: PassRule;
  /** Local stamps in this range have this offset and no other. All in microseconds. */
  #from = NaN;
  #to = NaN;
  #offset = 0;
  /** The repeated hour of the stamp before, if it was in one. */
  #hour: RepeatedHour | undefined;
  readonly #hours: RepeatedHour[] = [];

  /**
   * Makes the clock of a zone.
   *
   * @param rule How the pass of a stamp of a repeated hour is found
   */
  constructor(zone: string, rule: PassRule = "order") {
    this.#zone = zone;
    this.#rule = rule;
  }

  /**
   * The instant of a local stamp, microseconds since 1970; NaN where the clock skips it.
   *
   * @param pass Its pass of a repeated hour. @default as the rule says
   */
  toInstant(local: number, line: number, pass?: "earlier" | "later"): number {
    if (local >= this.#from && local < this.#to) {
      this.#hour = undefined;
      return local - this.#offset;
    }
    const clock = Temporal.Instant.fromEpochMilliseconds(Math.floor(local / MILLI))
      .toZonedDateTimeISO("UTC").toPlainDateTime();
    const earlier = clock.toZonedDateTime(this.#zone, { disambiguation: "earlier" });
    if (!earlier.toPlainDateTime().equals(clock)) return NaN;
    const later = clock.toZonedDateTime(this.#zone, { disambiguation: "later" });
    let time = earlier;
    if (later.offsetNanoseconds === earlier.offsetNanoseconds) {
      this.#hour = undefined;
      this.#remember(earlier);
    } else if (this.#isLater(local, line, earlier, pass)) time = later;
    return local - time.offsetNanoseconds / MICRO;
  }

  /** Whether a stamp of a repeated hour is of its second pass: after the stamps went back. */
  #isLater(
    local: number,
    line: number,
    earlier: Temporal.ZonedDateTime,
    pass?: "earlier" | "later",
  ): boolean {
    if (this.#rule === "earlier" || this.#rule === "later") return (pass ?? this.#rule) === "later";
    const change = earlier.getTimeZoneTransition("next")!.epochMilliseconds;
    const hour = this.#hour;
    if (hour?.change !== change) {
      const [first, second] = [new Set([local]), new Set<number>()];
      const marked = pass !== undefined;
      const returns = Number(pass === "later");
      this.#hour = { change, line, local, last: local, returns, marked, first, second };
      this.#hours.push(this.#hour);
      return pass === "later";
    }
    if (pass !== undefined) {
      hour.marked = true;
      hour.last = local;
      if (pass === "later") hour.returns ||= 1;
      return pass === "later";
    }
    if (local < hour.last || local === hour.last && this.#rule === "order") hour.returns++;
    hour.last = local;
    (hour.returns === 0 ? hour.first : hour.second).add(local);
    return hour.returns > 0;
  }

  /** Stores the offset of a time, and the range of stamps that certainly have it. */
  #remember(time: Temporal.ZonedDateTime): void {
    const offset = time.offsetNanoseconds / MICRO;
    const start = time.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
    const end = time.getTimeZoneTransition("next");
    const micros = (instant: Temporal.ZonedDateTime) => instant.epochMilliseconds * MILLI;
    const before = start?.subtract({ nanoseconds: 1 }).offsetNanoseconds ?? 0;
    this.#offset = offset;
    this.#from = start ? micros(start) + Math.max(offset, before / MICRO) : -Infinity;
    this.#to = end ? micros(end) + Math.min(offset, end.offsetNanoseconds / MICRO) : Infinity;
  }

  /**
   * Line and stamp of the first repeated hour whose passes the order of the rows does not show: they went back not at all,
   * more than once, or most stamps are of one pass only, as where rows are in disorder or one is doubled.
   */
  findUnclearHour(): { readonly line: number; readonly local: number } | undefined {
    return this.#hours.find(({ returns, marked, first, second }) =>
      !marked &&
      (returns !== 1 || 2 * first.intersection(second).size < first.union(second).size)
    );
  }
}
