import { ArgumentError } from "../../api/errors.ts";
import { startOfDay } from "../../time/zones.ts";

/** An instant, a local time or a day: text in ISO 8601 (without offset it is local to the turbine) or a Temporal object. */
export type OutageBound =
  | string
  | Temporal.Instant
  | Temporal.ZonedDateTime
  | Temporal.PlainDateTime
  | Temporal.PlainDate;

/** An outage that the caller names. */
export interface NamedOutage {
  /** What it is called, as in the claim. @default its first day */
  readonly name?: string;
  /** Start; a day begins at its midnight. */
  readonly from: OutageBound;
  /** End, exclusive. */
  readonly to: OutageBound;
}

/** A named outage by its instants. */
export interface OutageSpan {
  /** What it is called. */
  readonly name: string;
  /** Start, milliseconds since 1970 UTC. */
  readonly from: number;
  /** End, exclusive, milliseconds since 1970 UTC. */
  readonly to: number;
}

/** Instant that a bound stands for in a zone, milliseconds since 1970 UTC. */
function instantOf(bound: OutageBound, timeZone: string): number {
  const text = String(bound); // notebooks are not type-checked: anything may come
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return startOfDay(Temporal.PlainDate.from(text), timeZone);
  if (text.includes("[")) return Temporal.ZonedDateTime.from(text).epochMilliseconds;
  if (/(Z|[+-]\d{2}:?\d{2})$/.test(text)) return Temporal.Instant.from(text).epochMilliseconds;
  return Temporal.PlainDateTime.from(text).toZonedDateTime(timeZone).epochMilliseconds;
}

/**
 * The outages that a caller names, in order of time.
 *
 * @param outages As they were given
 * @param timeZone Zone of the turbine
 * @throws {ArgumentError} If a bound is no time, an end is not after its start, or two of them overlap
 */
export function namedOutages(
  outages: readonly NamedOutage[],
  timeZone: string,
): OutageSpan[] {
  const spans = outages.map(({ name, from, to }, i): OutageSpan => {
    const called = name?.trim() || `Outage of ${String(from).slice(0, 10)}`;
    const read = (bound: OutageBound, what: string): number => {
      try {
        return instantOf(bound, timeZone);
      } catch {
        throw new ArgumentError(
          `Cannot use outage ${i + 1} ("${called}"): its ${what} ${
            JSON.stringify(String(bound).slice(0, 40))
          } is no time. ` + 'Give a day like "2018-11-03", or a time like "2018-11-03T14:00"',
        );
      }
    };
    const span = { name: called, from: read(from, "start"), to: read(to, "end") };
    if (span.to > span.from) return span;
    throw new ArgumentError(
      `Cannot use outage ${i + 1} ("${called}"): it ends at ${to}, not after its start, ${from}. ` +
        "The end is not included: for one day, give the next as its end",
    );
  }).sort((a, b) => a.from - b.from);
  for (const [i, span] of spans.entries()) {
    if (i === 0 || span.from >= spans[i - 1].to) continue;
    throw new ArgumentError(
      `Cannot use the outages: "${spans[i - 1].name}" and "${span.name}" overlap, so that energy ` +
        "would be lost twice. End one where the other begins",
    );
  }
  return spans;
}
