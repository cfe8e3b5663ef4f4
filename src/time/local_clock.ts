const MICRO = 1000; // nanoseconds
const MILLI = 1000; // microseconds

/** A stamp of a repeated hour. */
interface RepeatedHour {
  readonly line: number;
  times: number;
}

/** Converts local stamps of a zone to instants. Of a repeated hour that is there twice, the first is the earlier one. */
export class LocalClock {
  readonly #zone: string;
  /** Local stamps in this range have this offset and no other. All in microseconds. */
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
    let time = earlier;
    if (later.offsetNanoseconds !== earlier.offsetNanoseconds) {
      const repeated = this.#repeated.get(local);
      if (repeated) {
        repeated.times++;
        time = later;
      } else this.#repeated.set(local, { line, times: 1 });
    } else this.#remember(earlier);
    return local - time.offsetNanoseconds / MICRO;
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

  /** Line and stamp of the first repeated hour that is there only once, so that it may be either of two. */
  findUnpairedHour(): { readonly line: number; readonly local: number } | undefined {
    let first: { line: number; local: number } | undefined;
    for (const [local, { line, times }] of this.#repeated) {
      if (times === 1 && !(first && first.line <= line)) first = { line, local };
    }
    return first;
  }
}
