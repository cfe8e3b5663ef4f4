import type { SiteData } from "../../src/sites/site_data.ts";
import { alignToAxis, HOUR } from "../../src/time/hourly.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { computeHourlyPower } from "../../src/windindex/power_model.ts";
import { jsonOfPeer, peerFile, whyWithout } from "../peers/_venv.ts";
import { listComparedMonths, type PredictedMonth, sumCompared } from "./_months.ts";

/** Why the Python program cannot run here; `undefined` if it can. */
export const withoutBoosting = whyWithout("pandas", "sklearn");

/** Hours that are fitted and compared. */
type Compared = "masked" | "all";

/** Predicted months of each turbine, with hours masked and with all hours. */
export type BoostedMonths = Readonly<Record<Compared, readonly (readonly PredictedMonth[])[]>>;

/** Hourly features of a climate point: speed and direction at each height, temperature and pressure. */
function listFeatures(point: ClimatePoint): Float64Array[] {
  const hourly = (values: Float64Array) => computeHourlyPower(values, point.stamp);
  const speeds = point.levels.map(({ u, v }) =>
    hourly(u.map((value, i) => Math.hypot(value, v[i])))
  );
  const directions = point.levels.map(({ u, v }) => {
    const [east, north] = [hourly(u), hourly(v)];
    return east.map((value, i) => Math.atan2(-value, -north[i]) * 180 / Math.PI);
  });
  const air = [point.temperature, point.pressure].flatMap((values) => values ?? []);
  return [...speeds, ...directions, ...air.map(hourly)];
}

/** Rows for the program: turbine, month, mask, production, then the features. */
function buildCsv(data: SiteData, reanalyses: readonly string[]): string {
  const points = data.reanalyses.filter(({ dataset }) => reanalyses.includes(dataset.serviceId))
    .flatMap(({ climate }) => climate);
  const rows = data.turbines.flatMap(({ turbine }, position) => {
    const { production: { axis, power }, mask, months } = listComparedMonths(data, position, true);
    const features = points.flatMap((point) =>
      listFeatures(point).map((values) => alignToAxis(axis, point.axis, values))
    );
    return months.flatMap(({ label, from, to }) =>
      Array.from({ length: to - from }, (_, offset) => {
        const i = from + offset;
        const hour = (axis.start / HOUR + i) % 24;
        const month = Number(label.slice(5));
        return [turbine.id, label, mask[i], power[i], hour, month, ...features.map((one) => one[i])]
          .join();
      })
    );
  });
  const [first] = rows;
  const numbered = Array.from({ length: first.split(",").length - 4 }, (_, i) => `feature_${i}`);
  return [["turbine", "month", "masked", "power", ...numbered].join(), ...rows].join("\n");
}

/**
 * Predicts each month of a site by gradient boosting on the hours of all other months, with scikit-learn.
 *
 * @param data The site, with one climate point for each reanalysis
 * @param reanalyses Datasets of the reanalyses to take the features from
 */
export async function predictByBoosting(
  data: SiteData,
  reanalyses: readonly string[],
): Promise<BoostedMonths> {
  const predictions = await jsonOfPeer("boosting.py", {
    args: [],
    cwd: peerFile("."),
    env: { OMP_NUM_THREADS: "1" }, // sums in one order
    input: buildCsv(data, reanalyses),
  }) as Record<Compared, Record<string, Record<string, number>>>;
  const monthsOf = (compared: Compared) =>
    data.turbines.map(({ turbine }, position) => {
      const { production, mask, months } = listComparedMonths(
        data,
        position,
        compared === "masked",
      );
      return months.map((span) => ({
        label: span.label,
        produced: sumCompared(production.power, production, mask, span),
        predicted: predictions[compared][turbine.id][span.label],
      }));
    });
  return { masked: monthsOf("masked"), all: monthsOf("all") };
}
