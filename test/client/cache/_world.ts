/**
 * A server for tests whose figures can be revised: hourly series of turbines, and their monthly table.
 *
 * @module
 */
import type { Handler } from "../_local_server.ts";

const HOUR = 3_600_000;

/** Header of model data. */
export const HOURS_HEADER = "time,wind_speed,wind_direction,temperature,air_density,power";

/** Hours of a turbine. */
export interface Series {
  /** Zone of its clock. */
  readonly zone: string;
  /** Instants, ms since 1970 UTC. */
  readonly epochs: number[];
  /** The same on the local clock, with offset. */
  readonly stamps: string[];
  /** Wind, m/s. */
  readonly wind: (number | null)[];
  /** Power, kW. */
  readonly power: (number | null)[];
}

/** Appends hours from the end of a series, or from a local time, up to a local time. */
export function extendSeries(series: Series, from: string, to: string): Series {
  const instant = (text: string) =>
    Temporal.PlainDateTime.from(text).toZonedDateTime(series.zone).epochMilliseconds;
  for (let epoch = instant(from), end = instant(to); epoch < end; epoch += HOUR) {
    const i = series.epochs.length;
    series.epochs.push(epoch);
    series.stamps.push(
      Temporal.Instant.fromEpochMilliseconds(epoch).toZonedDateTimeISO(series.zone)
        .toString({ timeZoneName: "never", smallestUnit: "minute" }),
    );
    series.wind.push(4 + i % 97 / 10);
    series.power.push(100 + i % 89);
  }
  return series;
}

/** A series of each hour from one local day to before another. */
export function buildSeries(zone: string, from: string, to: string): Series {
  return extendSeries({ zone, epochs: [], stamps: [], wind: [], power: [] }, from, to);
}

/** Months of a series, each with its rows. */
export function groupMonths({ stamps }: Series): Map<string, number[]> {
  const months = new Map<string, number[]>();
  stamps.forEach((stamp, row) => {
    const month = stamp.slice(0, 7);
    const rows = months.get(month);
    if (rows) rows.push(row);
    else months.set(month, [row]);
  });
  return months;
}

/** Adds to the wind of some rows of a month. */
export function revise(series: Series, month: string, by: number, rows?: number): void {
  for (const row of groupMonths(series).get(month)!.slice(0, rows)) {
    series.wind[row] = series.wind[row]! + by;
  }
}

/** Answers with the rows of the requested local days; 400 if there are none. */
export function answerHours(series: Series, query: URLSearchParams): Response {
  const [start, end] = [query.get("start_date")!, query.get("end_date")!];
  const lines = [HOURS_HEADER];
  series.stamps.forEach((stamp, row) => {
    if (stamp.slice(0, 10) < start || stamp.slice(0, 10) >= end) return;
    lines.push(`${stamp},${series.wind[row] ?? ""},240,9.5,1.24,${series.power[row] ?? ""}`);
  });
  if (lines.length === 1) return new Response(null, { status: 400 });
  return new Response(lines.join("\n") + "\n", {
    headers: { "content-type": "text/csv", "vindkit-time-zone": series.zone },
  });
}

/** Columns of the monthly table. */
export const INDICES_HEADER =
  "year,month,month_index,month_abnormality_index,last12_month_index,last_full_quarter_index," +
  "last_full_year_index,predicted_production,status,completeness,revision";

/** A monthly table, with the index of each month. */
export function answerIndices(months: Readonly<Record<string, number>>): Response {
  const rows = Object.entries(months).map(([month, index]) => {
    const [year, number] = month.split("-").map(Number);
    return [year, number, index, 1, 2, 3, 4, 5.5, "final", 1, 2].join(",");
  });
  return new Response([INDICES_HEADER, ...rows, ""].join("\n"), {
    headers: { "content-type": "text/csv" },
  });
}

/** Last segment of the path: the turbine. */
export function turbineOf(request: Request): string {
  return decodeURIComponent(new URL(request.url).pathname.split("/").at(-1)!);
}

/** Details of a turbine. */
export function answerDetails(id: string, more: Record<string, unknown> = {}): Response {
  return Response.json({
    turbine_id: id,
    name: `Name of ${id}`,
    latitude: 55.6,
    longitude: 7.9,
    hub_height: 80,
    rated_power: 2300,
    rotor_diameter: 92,
    time_zone: "Europe/Copenhagen",
    training_start: "2020-01-01",
    training_end: "2021-12-31",
    data_ready: true,
    last_wind_index: { year: 2024, month: 5 },
    power_curve: null,
    ...more,
  });
}

/** Data of a server; a change of them is a revision. */
export interface World {
  /** Hours by turbine. */
  hours?: Record<string, Series>;
  /** Index of each month by turbine. */
  indices?: Record<string, Record<string, number>>;
  /** Turbines that have details. */
  details?: string[];
}

/** Builds a handler that answers from a world; missing data are a 404 for hours, else a 400. */
export function buildHandler(world: World): Handler {
  return (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const id = turbineOf(request);
    if (pathname.includes("/model_data/")) {
      const series = world.hours?.[id];
      return series ? answerHours(series, searchParams) : new Response(null, { status: 404 });
    }
    if (pathname.includes("/wind_indices/")) {
      const months = world.indices?.[id];
      return months ? answerIndices(months) : new Response(null, { status: 400 });
    }
    if (pathname.includes("/details/") && world.details?.includes(id)) return answerDetails(id);
    return new Response(null, { status: 400 });
  };
}

/** Lists all files of a folder by their path below it; none if the folder is missing. */
export function listFiles(folder: string, below = ""): string[] {
  const paths: string[] = [];
  try {
    for (const { name, isDirectory } of Deno.readDirSync(`${folder}${below}`)) {
      const path = `${below}/${name}`;
      paths.push(...isDirectory ? listFiles(folder, path) : [path]);
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
  return paths.sort();
}
