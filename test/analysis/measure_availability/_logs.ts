import pl, { type DataFrame } from "nodejs-polars";
import { counterColumns, eventColumns } from "../../../src/frames/events/event_columns.ts";
import { buildFrame } from "../../../src/frames/frame.ts";

/** An entry of a log; times in UTC, "2024-03-04 06:00"; without an end it is open, unless flagged `instant`. */
export interface Entry {
  readonly from: string;
  readonly to?: string;
  readonly category?: string | null;
  readonly status?: string;
  readonly code?: string;
  readonly text?: string;
  readonly flags?: string;
}

const micros = (time: string) => 1000 * Date.parse(`${time.replace(" ", "T")}Z`);

/** A status log as `readEvents()` returns it. */
export function buildLog(entries: readonly Entry[]): DataFrame {
  return buildFrame(eventColumns, {
    turbine_id: entries.map(() => "T1"),
    from: entries.map(({ from }) => micros(from)),
    to: entries.map(({ to }) => to === undefined ? null : micros(to)),
    category: entries.map(({ category }) => category ?? null),
    status: entries.map(({ status }) => status ?? "Stop"),
    code: entries.map(({ code }) => code ?? null),
    text: entries.map(({ text }) => text ?? null),
    flags: entries.map(({ flags }) => flags ?? null),
  }, "UTC");
}

const COUNTERS = [
  "environment_stop",
  "commanded_stop",
  "turbine_stop",
  "grid_stop",
  "ready_to_operate",
] as const;

/** Seconds by counter in ten minutes. */
export type Counts = Partial<Record<typeof COUNTERS[number], number | null>>;

/** Counters of consecutive ten minutes as `readEvents()` returns them; a row that is `null` is missing. */
export function buildCounters(start: string, rows: readonly (Counts | null)[]): DataFrame {
  const present = rows.flatMap((counts, i) =>
    counts ? [{ at: micros(start) + i * 6e8, counts }] : []
  );
  return buildFrame(counterColumns, {
    turbine_id: present.map(() => "T1"),
    from: present.map(({ at }) => at),
    to: present.map(({ at }) => at + 6e8),
    ...Object.fromEntries(
      COUNTERS.map((
        name,
      ) => [name, present.map(({ counts }) => counts[name] === undefined ? 0 : counts[name])]),
    ),
    wind_in_range: present.map(() => 600),
  }, "UTC");
}

/** A column of numbers by category. */
export function byCategory(frame: DataFrame, name: string): Record<string, number> {
  const rows = frame.select(pl.col("category"), pl.col(name)).rows() as [string, number][];
  return Object.fromEntries(rows);
}
