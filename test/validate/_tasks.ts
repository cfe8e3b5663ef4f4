import { type BoostedMonths, predictByBoosting } from "./boosting.ts";
import { compareForecasts, type Forecast } from "./forecasts.ts";
import { predictByWays, type WayMonths } from "./intervals.ts";
import { lastingLossesSection } from "./lasting_losses.ts";
import { leaveOneMonthOut, type Model, type UnseenMonth } from "./leave_one_month_out.ts";
import { longStopsSection } from "./long_stops.ts";
import { longTermSection } from "./long_term_section.ts";
import type { Section } from "./_page_parts.ts";
import { type RaisedWind, raiseWind } from "./raised_wind.ts";
import { siteData, type SiteName } from "./_site_data.ts";

/** The slow parts, as tasks of a worker. */
export const tasks = {
  /** Months of a turbine, each predicted by a calibration without it, for each of the sources. */
  predictMonths: async (
    { site, position, model, sources }: {
      site: SiteName;
      position: number;
      model: Model;
      sources: readonly (readonly string[])[];
    },
  ): Promise<UnseenMonth[][]> => leaveOneMonthOut(await siteData(site), position, model, sources),
  /** Months of a turbine that ways of training have not seen. */
  predictByWays: async (
    { site, position, reanalysis }: { site: SiteName; position: number; reanalysis: string },
  ): Promise<WayMonths[]> => predictByWays(await siteData(site), position, reanalysis),
  /** Forecast and actual errors with more months. */
  compareForecasts: async (
    { site, position, reanalysis }: { site: SiteName; position: number; reanalysis: string },
  ): Promise<Forecast[]> => compareForecasts(await siteData(site), position, reanalysis),
  /** Months of a site, predicted by gradient boosting. */
  boosting: async (
    { site, reanalyses }: { site: SiteName; reanalyses: readonly string[] },
  ): Promise<BoostedMonths> => predictByBoosting(await siteData(site), reanalyses),
  /** Kelmarsh with the wind of some months raised. */
  raiseWind: async (months: readonly string[]): Promise<RaisedWind> =>
    raiseWind(await siteData("kelmarsh"), months),
  /** Long-term estimates from short records. */
  longTerm: async (_: null): Promise<Section> =>
    longTermSection(
      await siteData("kelmarsh"),
      await siteData("horns_rev"),
      await siteData("la_haute_borne"),
    ),
  /** Losses from a date on. */
  lastingLosses: async (_: null): Promise<Section> =>
    lastingLossesSection(await siteData("kelmarsh")),
  /** Stops of some days. */
  longStops: async (_: null): Promise<Section> => longStopsSection(await siteData("kelmarsh")),
};

/** Names of the tasks. */
export type TaskName = keyof typeof tasks;
