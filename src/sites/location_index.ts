import type { DataFrame } from "nodejs-polars";
import { monthlyIndicesFrame } from "../api/columns/columns.ts";
import { buildRows } from "../frames/frame.ts";
import { describeFrame } from "../frames/origin/provenance.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { monthAsDays } from "../time/zones.ts";
import { listMarks } from "./calibration/calibration_notes.ts";
import { computeTurbine } from "./calibration/compute_turbine.ts";
import { defineSite } from "./declaration/define_site.ts";
import { parametricPowerCurve } from "./power_curves/parametric_power_curve.ts";
import type { SiteDefinition, TurbineDefinition } from "./declaration/site_definition.ts";
import { type ImportSiteOptions, readSite } from "./import_site.ts";
import { describeSource } from "./site_data.ts";

/** A turbine at a place, real or planned, with fields as in a site file. */
export type PlacedTurbine =
  & Partial<TurbineDefinition>
  & Pick<TurbineDefinition, "latitude" | "longitude" | "elevation">
  & Pick<TurbineDefinition, "hub_height" | "rotor_diameter" | "rated_power">;

/** Options of {@linkcode locationIndex}. */
export interface LocationIndexOptions
  extends
    Pick<ImportSiteOptions, "era5" | "signal">,
    Pick<SiteDefinition, "climate" | "dataset" | "shear"> {}

/** Defaults of optional fields. */
const DEFAULTS = { time_zone: "UTC", power_control: "pcPitch", location_index: true } as const;

const OPTIONS = declareOptions<LocationIndexOptions>()("climate! dataset shear era5 signal");

/**
 * Computes the wind index of a place without production, from its climate, a hub height and a power curve, as an import
 * does with `location_index`. The index is not calibrated (k = 1), and all results made from it say so. Stores nothing.
 *
 * @param turbine The place (deg, m above the sea) and the turbine: `hub_height` and `rotor_diameter` (m), `rated_power`
 * (kW). By default, `parametricPowerCurve()` estimates `power_curve` from these, `power_control` is `pcPitch`, and
 * months begin in UTC (`time_zone`)
 * @param options `climate`: its source, files or frames, as in `defineSite()`; `era5`, which fetches it from its
 * source; signal
 * @returns A frame like that of `monthlyIndices()`; the energy has the interval of a place with unknown k
 * @throws {ArgumentError} If turbine or climate is not valid, or the climate has no complete year
 * @throws {VindkitError} As `era5()` does, if climate has to be fetched
 *
 * @example From a place to its index
 * ```ts ignore
 * import { era5, plotMonthlyIndices } from "@vindkit/vindkit";
 * import { locationIndex } from "@vindkit/vindkit/sites";
 *
 * const months = await locationIndex(
 *   { latitude: 55.5, longitude: 7.9, elevation: 0, hub_height: 80, rotor_diameter: 92, rated_power: 2300 },
 *   { climate: { source: "open-meteo", from: 2005 }, era5 },
 * );
 * plotMonthlyIndices(months, { figure: "month_abnormality_index" });
 * ```
 *
 * @example The climate of the sample, as a frame
 * ```ts
 * import { downloadClimate, provenance } from "@vindkit/vindkit";
 * import { locationIndex } from "@vindkit/vindkit/sites";
 * import { assertMatch } from "@std/assert";
 *
 * const place = { latitude: 55.5, longitude: 8 };
 * const frame = await downloadClimate("era5", { ...place, from: 2015, to: 2024 });
 * const months = await locationIndex(
 *   { ...place, elevation: 0, hub_height: 80, rotor_diameter: 92, rated_power: 2300 },
 *   { climate: [{ frame, ...place, stamp: "instant" }] },
 * );
 * assertMatch(provenance(months)[0].notes![0], /^UNCALIBRATED/);
 * ```
 */
export async function locationIndex(
  turbine: PlacedTurbine,
  options: LocationIndexOptions,
): Promise<DataFrame> {
  const { era5, signal, ...climate } = readOptions("locationIndex()", options, OPTIONS);
  const { id = "location", rated_power: ratedPower, rotor_diameter: rotorDiameter } = turbine;
  const site = defineSite({
    site: "location",
    ...climate,
    turbines: [{
      ...DEFAULTS,
      id,
      name: id,
      ...turbine,
      power_curve: turbine.power_curve ?? parametricPowerCurve({ ratedPower, rotorDiameter }),
    }],
  });
  const data = await readSite(site, { era5, signal });
  const first = { calibration: null, nextRevision: 1, recalibrate: false };
  const { calibration, months } = computeTurbine(data, 0, [], first);
  const [{ referenceYears: years }, revision] = [calibration!, 1];
  const rows = months.map(({ year, month, ...figures }) => {
    const day = monthAsDays(new Temporal.PlainYearMonth(year, month));
    return { ...figures, turbine_id: id, month: day, revision };
  });
  const { latitude, longitude } = turbine;
  const source = describeSource(data, "locationIndex", { latitude, longitude });
  const baseNote = `100 % is the mean of ${years[0]} to ${years.at(-1)} (${years.length} years)`;
  const notes = [...listMarks(calibration), baseNote, ...source.notes];
  const frame = buildRows(monthlyIndicesFrame, rows);
  return describeFrame(frame, monthlyIndicesFrame, { ...source, notes });
}
