import { ArgumentError } from "../../api/errors.ts";
import { type RangeBound, readSpan } from "../../show/options/range.ts";

/** An outage that the caller names. */
export interface NamedOutage {
  /** What it is called, as in the claim. @default its first day */
  readonly name?: string;
  /** First day or hour, in the turbine's zone unless it has a zone. */
  readonly from: RangeBound;
  /** Last day or hour, included. */
  readonly to: RangeBound;
}

/** A named outage by its instants. */
export interface OutageSpan {
  /** What it is called. */
  readonly name: string;
  /** Start, milliseconds since 1970 UTC. */
  readonly from: number;
  /** End, exclusive, milliseconds since 1970 UTC. */
  readonly to: number;
  /** Whether both bounds were given without a clock: then the turbine may have run in a part of the first and the last one. */
  readonly byDays: boolean;
}

/**
 * Reads the outages that a caller names, in order of time.
 *
 * @throws {ArgumentError} If a bound is not a time, `from` is after `to`, or two of them overlap
 */
export function readNamedOutages(
  outages: readonly NamedOutage[],
  timeZone: string,
): OutageSpan[] {
  const spans = outages.map(({ name, from, to }, i): OutageSpan => {
    const called = name?.trim() || `Outage of ${String(from).slice(0, 10)}`;
    try {
      const [first, end] = readSpan({ from, to }, timeZone);
      const byDays = [from, to].every((bound) => !String(bound).includes("T"));
      return { name: called, from: first, to: end, byDays };
    } catch (cause) {
      throw new ArgumentError(
        `Cannot use outage ${i + 1} ("${called}"): ${(cause as Error).message}`,
        { cause },
      );
    }
  }).sort((a, b) => a.from - b.from);
  for (const [i, span] of spans.entries()) {
    if (i === 0 || span.from >= spans[i - 1].to) continue;
    throw new ArgumentError(
      `Cannot use the outages: "${spans[i - 1].name}" and "${span.name}" overlap, so that energy ` +
        "would be counted twice. End one where the other begins",
    );
  }
  return spans;
}
