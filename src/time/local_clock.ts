const MICRO = 1000; // nanoseconds
const MILLI = 1000; // microseconds

/** A stamp of a repeated hour. */
interface RepeatedHour {
  readonly line: number;
  times: number;
}

/** A zone's clock: local stamps to instants. A repeated hour that stands there twice is the earlier one first. */
export class LocalClock {
  readonly #zone: string;
  /** Local stamps from one to the other have this offset, and no other. All in microseconds. */
  #from = NaN;
  #to = NaN;
  #offset = 0;
  readonly #repeated = new Map<number, RepeatedHour>();

  /** Makes the clock of a zone. */
  constructor(zone: string) {
    this.#zone = zone;
  }

  /** The instant of a local stamp, microseconds since 1970; NaN where the clock skips it. */
  toInstant(local: number, line: number): number {
    if (local >= this.#from && local < this.#to) return local - this.#offset;
    const clock = Temporal.Instant.fromEpochMilliseconds(Math.floor(local / MILLI))
      .toZonedDateTimeISO("UTC").toPlainDateTime();
    const earlier = clock.toZonedDateTime(this.#zone, { disambiguation: "earlier" });
    if (!earlier.toPlainDateTime().equals(clock)) return NaN;
    const later = clock.toZonedDateTime(this.#zone, { disambiguation: "later" });
    let meant = earlier;
    if (later.offsetNanoseconds !== earlier.offsetNanoseconds) {
      const repeated = this.#repeated.get(local);
      if (repeated) {
        repeated.times++;
        meant = later;
      } else this.#repeated.set(local, { line, times: 1 });
    } else this.#remember(earlier);
    return local - meant.offsetNanoseconds / MICRO;
  }

  /** Keeps the offset of a time, and the stamps that have it without doubt. */
  #remember(time: Temporal.ZonedDateTime): void {
    const offset = time.offsetNanoseconds / MICRO;
    const begun = time.add({ nanoseconds: 1 }).getTimeZoneTransition("previous");
    const ends = time.getTimeZoneTransition("next");
    const micros = (instant: Temporal.ZonedDateTime) => instant.epochMilliseconds * MILLI;
    const before = begun?.subtract({ nanoseconds: 1 }).offsetNanoseconds ?? 0;
    this.#offset = offset;
    this.#from = begun ? micros(begun) + Math.max(offset, before / MICRO) : -Infinity;
    this.#to = ends ? micros(ends) + Math.min(offset, ends.offsetNanoseconds / MICRO) : Infinity;
  }

  /** Line and stamp of the first repeated hour that stands there once: it may be either. */
  findUnpairedHour(): { readonly line: number; readonly local: number } | undefined {
    let first: { line: number; local: number } | undefined;
    for (const [local, { line, times }] of this.#repeated) {
      if (times === 1 && !(first && first.line <= line)) first = { line, local };
    }
    return first;
  }
}
