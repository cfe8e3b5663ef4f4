/**
 * Sites of turbines with invented hours and months, put into a store as by an import.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { modelDataCsv } from "../../../src/api/columns/columns.ts";
import { seriesToParquet } from "../../../src/sites/keep/series.ts";
import type { Storage } from "../../../src/storage/storage.ts";
import type { FreshMonth, SiteRecord } from "../../../src/sites/keep/site_record.ts";
import { HOUR } from "../../../src/time/hourly.ts";
import { bareTurbine, dataset, site as siteRecord } from "../../storage/store/_records.ts";

/** Content of a site. */
export interface FleetSite {
  readonly site: string;
  /** Identifiers of its turbines. */
  readonly ids: readonly string[];
  /** First hour, such as `2021-01-01T00Z`. */
  readonly from: string;
  /** Hour after the last one. */
  readonly to: string;
  /** Seed of the figures. @default {0} */
  readonly seed?: number;
  /** Identifiers of the turbines that are not calibrated. */
  readonly bare?: readonly string[];
}

/** Numbers from 0 to 1, the same for the same seed. */
function random(seed: number): () => number {
  let state = seed % 2147483646 + 1;
  return () => (state = state * 48271 % 2147483647) / 2147483647;
}

/** A model: every seventh hour of its first week has no value. */
function makeModel(start: number, length: number, seed: number): Uint8Array {
  const values = (compute: (level: number) => number) => {
    const next = random(seed); // restarted for each column, so a longer column begins with the values of a shorter one
    return Float64Array.from(
      { length },
      (_, i) => i < 168 && i % 7 === 0 ? NaN : compute((Math.sin(i / 50) + 1) / 2 + next() / 4),
    );
  };
  const columns = {
    wind_speed: values((level) => 15 * level),
    wind_direction: values((level) => 280 * level),
    temperature: values((level) => 25 * level - 5),
    air_density: values((level) => 1.3 - level / 10),
    power: values((level) => 2300 * Math.min(level, 1)),
  };
  return seriesToParquet({ start, length }, columns, modelDataCsv);
}

/** Months from one to before another; the first has no figures. */
function makeMonths(from: string, to: string, seed: number): FreshMonth[] {
  const next = random(seed);
  const [first, end] = [from, to].map((hour) => Temporal.PlainYearMonth.from(hour.slice(0, 7)));
  const count = first.until(end, { largestUnit: "months" }).months;
  return Array.from({ length: count }, (_, i) => {
    const { year, month } = first.add({ months: i });
    const figure = (scale: number) => i === 0 ? null : scale * (0.5 + next());
    return {
      year,
      month,
      month_index: figure(100),
      month_abnormality_index: figure(100),
      last12_month_index: i < 12 ? null : figure(100),
      last_full_quarter_index: figure(100),
      last_full_year_index: figure(100),
      predicted_production: figure(700),
      predicted_production_low: figure(600),
      predicted_production_high: figure(800),
      completeness: i === 0 ? 0 : 1,
      status: i === count - 1 ? "preliminary" : "final",
    };
  });
}

/** Stores a site, or stores it again. */
export async function putFleetSite({ store, files }: Storage, fleetSite: FleetSite): Promise<void> {
  const { site, ids, from, to, seed = 0, bare = [] } = fleetSite;
  const [start, end] = [from, to].map((hour) => Date.parse(`${hour.slice(0, 13)}:00Z`));
  const turbines: SiteRecord["turbines"][number][] = [];
  for (const [i, id] of ids.entries()) {
    const isBare = bare.includes(id);
    const model = isBare ? null : makeModel(start, (end - start) / HOUR, seed + i);
    const { stored, months } = bareTurbine(id, isBare ? [] : makeMonths(from, to, seed + i));
    const modelFile = model && await files.put(model, "parquet");
    turbines.push({ stored: { ...stored, modelFile }, months });
  }
  const attribution = [`Climate of ${site}`];
  const datasets = [{ ...dataset, attribution }];
  await putSite(
    store,
    siteRecord({ site, fingerprint: `${seed}`, datasets, points: [], turbines }),
  );
}
