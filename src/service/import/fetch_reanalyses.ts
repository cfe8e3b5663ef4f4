import type { DataFrame } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { buildNumbers } from "../../frames/frame.ts";
import { provenance } from "../../frames/provenance.ts";
import type { ClimateSource, SiteReanalysis } from "./declaration/site_reanalysis.ts";
import { buildSite, partsOf, type Site } from "./declaration/site.ts";
import type { ReanalysisSource } from "./declaration/site_definition.ts";

/** Gets ERA5 of a place, as `era5()` does. */
export type FetchEra5 = (
  options: ReanalysisSource & {
    /** Latitude of the place, deg. */
    latitude: number;
    /** Longitude of the place, deg. */
    longitude: number;
    /** Last year, month or day, included, UTC. */
    to: string | number;
    /** Cancels the call. */
    signal?: AbortSignal;
  },
) => Promise<DataFrame>;

/** A place, deg. */
interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** Grid points of ERA5 on a degree. */
const PER_DEGREE = 4;

/** Selects places of which each has other grid points than those before it: a farm within a cell is asked for once. */
function selectPlaces(places: readonly Place[], points: 1 | 4): Place[] {
  const round = points === 1 ? Math.round : Math.floor;
  const cellOf = ({ latitude, longitude }: Place) =>
    `${round(latitude * PER_DEGREE)} ${round(longitude * PER_DEGREE)}`;
  return [...Map.groupBy(places, cellOf).values()].map(([first]) => first);
}

/** Units of the variables of `era5()`; the wind as components where the source has them. */
function selectVariables({ columns }: DataFrame): NonNullable<ClimateSource["variables"]> {
  const wind = columns.includes("wind_u_100")
    ? { wind_u: "m/s", wind_v: "m/s" }
    : { wind_speed: "m/s", wind_direction: "deg" };
  const units = Object.entries(wind).flatMap(([name, unit]) =>
    [100, 10].map((height) => [`${name}_${height}`, unit])
  );
  const all = [...units, ["temperature", "degC"], ["pressure", "Pa"], ["preliminary", "1"]];
  return Object.fromEntries(all.map(([column, unit]) => [column, { column, unit }]));
}

/** Hours whose source does not say whether they are preliminary may be. */
function flagPreliminary(frame: DataFrame): DataFrame {
  const flags = frame.getColumn("preliminary").toArray() as (boolean | null)[];
  const own = Float64Array.from(flags, (flag) => flag === false ? 0 : 1);
  return frame.withColumns(buildNumbers("preliminary", own));
}

/** Climate of a reanalysis that was fetched. */
interface Fetched {
  readonly reanalysis: SiteReanalysis;
  /** Frames of its points, by the names of files that its declaration has. */
  readonly frames: ReadonlyMap<string, DataFrame>;
  readonly notes: readonly string[];
}

async function fetchReanalysis(
  reanalysis: SiteReanalysis,
  places: readonly Place[],
  fetch: (source: ReanalysisSource, place: Place) => Promise<DataFrame>,
): Promise<Fetched> {
  const { source, dataset } = reanalysis;
  if (!source) return { reanalysis, frames: new Map(), notes: [] };
  const frames = new Map<string, DataFrame>();
  const climate: ClimateSource[] = [];
  const whole: DataFrame[] = [];
  for (const place of selectPlaces(places, source.points)) {
    const frame = await fetch(source, place);
    whole.push(frame);
    const variables = selectVariables(frame);
    for (const point of frame.partitionBy(["latitude", "longitude"], true)) {
      const [latitude, longitude] = ["latitude", "longitude"]
        .map((name) => point.getColumn(name).get(0) as number);
      const file = `${dataset.service_id} of ${latitude}, ${longitude}`;
      if (frames.has(file)) continue; // the neighbouring cell has it too
      frames.set(file, flagPreliminary(point).select("time", ...Object.keys(variables)));
      climate.push({
        files: [file],
        format: "parquet",
        latitude,
        longitude,
        stamp: "instant",
        time: "time",
        variables,
      });
    }
  }
  const origins = whole.flatMap(provenance);
  const attribution = dataset.attribution.length > 0
    ? dataset.attribution
    : [...new Set(origins.flatMap((one) => one.attribution))];
  return {
    reanalysis: { ...reanalysis, climate, dataset: { ...dataset, attribution } },
    frames,
    notes: [...new Set(origins.flatMap((one) => one.notes ?? []))]
      .map((note) => `${dataset.service_id}: ${note}`),
  };
}

/** A site whose climate was fetched. */
export interface FetchedSite {
  /** The site, its climate from frames. */
  readonly site: Site;
  /** What a reader of its figures should know of the sources, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Fetches the climate that a site has from its source, of the grid points of its turbines: each point once, and of what
 * `era5()` has stored what is missing. Nothing is imported yet.
 *
 * @param site The site; one whose climate is files or frames is returned unchanged
 * @param era5 Gets it
 * @param signal Cancels the call
 * @throws {ArgumentError} If the climate has to be fetched, and nothing is given that gets it
 * @throws {VindkitError} As `era5()` does
 */
export async function fetchReanalyses(
  site: Site,
  era5?: FetchEra5,
  signal?: AbortSignal,
): Promise<FetchedSite> {
  const parts = partsOf(site, "import a site");
  const { declared, label } = parts;
  const { other_reanalyses: others = [], turbines } = declared;
  const sourced = [declared, ...others].find(({ source }) => source)?.source;
  if (!sourced) return { site, notes: [] };
  if (typeof era5 !== "function") {
    throw new ArgumentError(
      `Cannot import ${label}: its climate comes from "${sourced.source}", and nothing is given that ` +
        "gets it. Give importSite() the function era5 of @vindkit/vindkit: { data, era5 }",
    );
  }
  const today = Temporal.Now.plainDateISO("UTC").toString();
  const fetched: Fetched[] = [];
  for (const one of [declared, ...others]) {
    fetched.push(
      await fetchReanalysis(one, turbines, async ({ to = today, ...source }, place) => {
        const { latitude, longitude } = place;
        return await era5({ ...source, latitude, longitude, to, ...(signal ? { signal } : {}) });
      }),
    );
  }
  const [main, ...rest] = fetched.map(({ reanalysis }) => reanalysis);
  return {
    site: buildSite({
      ...parts,
      declared: { ...declared, ...main, ...(rest.length > 0 ? { other_reanalyses: rest } : {}) },
      frames: new Map([parts.frames, ...fetched.map(({ frames }) => frames)].flatMap((one) => [
        ...one,
      ])),
    }),
    notes: fetched.flatMap(({ notes }) => notes),
  };
}
