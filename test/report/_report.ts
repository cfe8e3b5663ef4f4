import pl from "nodejs-polars";
import { compareActual } from "../../src/analysis/compare_actual/compare_actual.ts";
import type { TurbineDetails } from "../../src/api/resources/resources.ts";
import type { World } from "../../src/api/world.ts";
import {
  fleetReport,
  type FleetReportOptions,
  type TurbineReport,
  type TurbineWithoutData,
} from "../../src/report/mod.ts";
import { buildDetails, buildIndicesFrame, type IndicesOptions } from "../plots/_frames.ts";

/** Month of the reports in the tests, unless they choose another. */
export const MONTH = "2023-12";

/** Attribution of the frames in the tests. */
export const ATTRIBUTION = "Contains modified Copernicus Climate Change Service information 2024";

/** A turbine with two years of indices, and production of 95 % of the prediction. */
export function turbine(
  changes: Partial<TurbineDetails> = {},
  indices: IndicesOptions = {},
): TurbineReport {
  const details = buildDetails(changes);
  const frame = buildIndicesFrame({ turbines: [details.turbine_id], ...indices });
  const production = frame.select(
    pl.col("month"),
    pl.col("predicted_production").mul(pl.lit(0.95)).alias("energy"),
  );
  return { details, indices: frame, comparison: compareActual(production, frame) };
}

/** A fleet of turbines called W1, W2, ... in parks of twenty, or of another size. */
export function fleet(count: number, world: World = "own", size = 20): TurbineReport[] {
  return Array.from({ length: count }, (_, i) => {
    const park = Math.floor(i / size);
    const name = `Park ${String.fromCharCode(65 + park)} ${i % size + 1}`;
    return turbine({
      turbine_id: `W${i + 1}`,
      name,
      latitude: 55 + park / 10 + i / 1000,
      longitude: 8 + i / 300,
    }, { world });
  });
}

/** Contents of a report's files by name. */
export async function buildReport(
  turbines: readonly (TurbineReport | TurbineWithoutData)[],
  options: Partial<FleetReportOptions> = {},
): Promise<Record<string, string>> {
  const files = fleetReport(turbines, {
    month: MONTH,
    generatedAt: "2024-02-01T10:00:00Z",
    ...options,
  });
  return Object.fromEntries(
    (await Array.fromAsync(files)).map(({ name, content }) => [name, content]),
  );
}

/** Visible text of a page, without charts. */
export function extractText(page: string): string {
  return page.replace(/<style>.*?<\/style>|<svg .*?<\/svg>/gs, "").replace(/<[^>]*>/g, " ")
    .replaceAll("\u00a0", " ").replaceAll("&#39;", "'").replace(/\s+/g, " ");
}
