import { FIRST_EDITION, type FirstErrors } from "./first_edition.ts";
import type { Model, UnseenMonth } from "./leave_one_month_out.ts";
import { correlateMonths, listComparedMonths, meanAbsoluteError } from "./_months.ts";
import { formatPercent, markdownTable, mean, type Section } from "./_page_parts.ts";
import { siteData, type SiteName } from "./_site_data.ts";
import type { Workers } from "./_workers.ts";

/** Reanalyses to predict a site from. */
interface Source {
  /** Its name in the table. */
  readonly name: string;
  readonly reanalyses: readonly string[];
  /** Errors of the first edition to compare with. */
  readonly first: FirstErrors;
}

/** Unseen months of the turbines of a site by one model. */
export interface SiteMonths {
  readonly source: string;
  readonly model: Model;
  /** Months of each turbine. */
  readonly turbines: readonly (readonly UnseenMonth[])[];
  /** Mean absolute error of the first edition, %. */
  readonly first: number;
}

/** The sites whose months are predicted, with their sources. */
const SOURCES: Readonly<Record<"kelmarsh" | "la_haute_borne", readonly Source[]>> = {
  kelmarsh: [{ name: "ERA5", reanalyses: ["era5"], first: FIRST_EDITION.kelmarsh }],
  la_haute_borne: [
    { name: "ERA5", reanalyses: ["era5"], first: FIRST_EDITION.era5 },
    { name: "MERRA-2", reanalyses: ["merra2"], first: FIRST_EDITION.merra2 },
    { name: "both", reanalyses: ["era5", "merra2"], first: FIRST_EDITION.era5 },
  ],
};

/** Mean absolute error of months, as mean over the turbines, %. */
export function averageError({ turbines }: Pick<SiteMonths, "turbines">): number {
  return mean(turbines.map(meanAbsoluteError));
}

const averageCorrelation = ({ turbines }: SiteMonths) => mean(turbines.map(correlateMonths));

/** Months of a site by all models: plain and selected, hours masked and all. */
export async function predictSite(
  site: keyof typeof SOURCES,
  workers: Workers,
): Promise<SiteMonths[]> {
  const { turbines } = await siteData(site);
  const sources: readonly Source[] = SOURCES[site];
  const models = [true, false].flatMap((masked) =>
    [false, true].map((selected): Model => ({ selected, masked }))
  );
  const predicted = await Promise.all(
    models.map((model) =>
      Promise.all(turbines.map((_, position) =>
        workers.run("predictMonths", {
          site,
          position,
          model,
          sources: sources.map(({ reanalyses }) => reanalyses),
        })
      ))
    ),
  );
  return sources.flatMap(({ name, first }, source) =>
    models.map((model, i): SiteMonths => ({
      source: name,
      model,
      turbines: predicted[i].map((bySource) => bySource[source]),
      first: first[model.selected ? "selected" : "plain"][model.masked ? "masked" : "all"],
    }))
  );
}

function countChosen(months: readonly UnseenMonth[]): string {
  const groups = Map.groupBy(months, ({ chosen }) => chosen);
  return [...groups].map(([chosen, { length }]) => `${chosen} ${length}`).join(", ");
}

function buildRow(result: SiteMonths): string[] {
  const { source, model: { selected, masked }, turbines, first } = result;
  const error = averageError(result);
  const all = turbines.flat();
  return [
    source,
    `${selected ? "selected" : "plain k"}, ${masked ? "masked" : "all hours"}`,
    ...turbines.map((months) => formatPercent(meanAbsoluteError(months))),
    formatPercent(error),
    formatPercent(first),
    `${(100 * (error / first - 1)).toFixed(0)} %`,
    averageCorrelation(result).toFixed(3),
    `${all.filter(({ hit }) => hit).length} of ${all.length}`,
    countChosen(all),
  ];
}

async function buildTable(site: SiteName, months: readonly SiteMonths[]): Promise<string[]> {
  const { turbines } = await siteData(site);
  return markdownTable(
    [
      "reanalysis",
      "model, hours",
      ...turbines.map(({ turbine }) => turbine.id),
      "average",
      "first edition",
      "change",
      "r of months",
      "in the 90 % interval",
      "chosen",
    ],
    months.map(buildRow),
  );
}

/** Share of the valid hours that is masked, %. */
async function measureMasked(site: SiteName): Promise<number> {
  const data = await siteData(site);
  return mean(data.turbines.map((_, position) => {
    const { production: { power }, mask } = listComparedMonths(data, position, true);
    const valid = [...power.keys()].filter((i) => !Number.isNaN(power[i]));
    return 100 * mean(valid.map((i) => mask[i]));
  }));
}

/** Goals for the months: largest errors, %, and r and hits of the selected model with hours masked. */
const GOALS = {
  kelmarsh: { plain: 5, selected: 3.1, r: 0.993, hits: 41 },
  below: { ERA5: 15, both: 35 },
} as const;

function listMissed(kelmarsh: readonly SiteMonths[], borne: readonly SiteMonths[]): string[] {
  const find = (months: readonly SiteMonths[], source: string, selected: boolean) =>
    months.find((result) =>
      result.source === source && result.model.masked && result.model.selected === selected
    )!;
  const [plain, selected] = [false, true].map((kind) => find(kelmarsh, "ERA5", kind));
  const { plain: most, selected: mostSelected, r, hits } = GOALS.kelmarsh;
  const hitCount = selected.turbines.flat().filter(({ hit }) => hit).length;
  const goals: readonly [boolean, string][] = [
    [
      averageError(plain) <= most,
      `Kelmarsh, plain k: ${averageError(plain).toFixed(2)} %, not ${most}`,
    ],
    [
      averageError(selected) <= mostSelected,
      `Kelmarsh, selected: ${averageError(selected).toFixed(2)} %, not ${mostSelected}`,
    ],
    [
      averageCorrelation(selected) >= r,
      `Kelmarsh, selected: r ${averageCorrelation(selected).toFixed(4)}, not ${r}`,
    ],
    [hitCount >= hits, `Kelmarsh: ${hitCount} months in their intervals, not ${hits}`],
    ...(["ERA5", "both"] as const).map((source): [boolean, string] => {
      const result = find(borne, source, true);
      const first = find(borne, "ERA5", true).first;
      const below = 100 * (1 - averageError(result) / first);
      return [
        below >= GOALS.below[source],
        `La Haute Borne, ${source}: ${below.toFixed(1)} % below the first edition, ` +
        `not ${GOALS.below[source]}`,
      ];
    }),
  ];
  return goals.filter(([reached]) => !reached).map(([, words]) => words);
}

/**
 * Writes the sections on months predicted from all other months.
 *
 * @param kelmarsh Months of Kelmarsh
 * @param borne Months of La Haute Borne
 */
export async function monthsSection(
  kelmarsh: readonly SiteMonths[],
  borne: readonly SiteMonths[],
): Promise<Section> {
  const [kelmarshMasked, borneMasked] = await Promise.all([
    measureMasked("kelmarsh"),
    measureMasked("la_haute_borne"),
  ]);
  return {
    lines: [
      "## Kelmarsh, 2018: each month predicted from the other eleven",
      "",
      "Kelmarsh has four turbines with hourly production.",
      "The wind data come from one grid point of ERA5.",
      "To predict a month, we calibrate the model on the other eleven months.",
      "This calibration selects the scaling, the smoothing of the power curve, the factors and the weights.",
      'In the rows "plain k", the calibration uses one factor on the wind speed.',
      'In the rows "selected", the calibration chooses among all scalings.',
      'In the rows "masked", we exclude outage hours from both the calibration and the comparison.',
      "Vindkit recognizes these hours from production data alone (docs/index.md).",
      `The masked hours are ${formatPercent(kelmarshMasked)} of the valid hours.`,
      "In nearly all masked hours, a turbine stood still while the neighbouring turbines ran.",
      'In the rows "all hours", the calibration and the comparison include the outage hours.',
      "The table shows mean absolute errors of the predicted monthly energy.",
      "All four turbines have the same wind, so the 48 predictions correspond to about 12 independent cases.",
      "",
      ...await buildTable("kelmarsh", kelmarsh),
      "",
      `The column "first edition" shows the results of commit ${FIRST_EDITION.commit} for the same months and power curve.`,
      "The masks of that commit differ by a few hours.",
      "The production covers only one year, so the 90 % intervals include the variation of the reanalysis level between years.",
      "This variation makes the intervals wide.",
      "",
      "## La Haute Borne, 2014: each month predicted from the other eleven",
      "",
      "La Haute Borne has two turbines with hourly production.",
      "We predict this production from ERA5 data (wind at 100 m), from MERRA-2 data (wind at 10 and 50 m), and from both together.",
      "The site file declares both reanalyses.",
      'In the rows "both", the calibration on the other eleven months also selects one reanalysis or a weighted mean of the two.',
      `The masked hours are ${formatPercent(borneMasked)} of the valid hours.`,
      "The manufacturer's power curve is not public.",
      "Instead, we use a smooth minimum of rated power and 0.5 rho A Cp v^3, with Cp = 0.44.",
      "Both turbines have the same wind, so the 24 predictions correspond to about 12 independent cases.",
      "",
      ...await buildTable("la_haute_borne", borne),
      "",
      'In the rows "both", the column "first edition" shows the error with ERA5 data.',
      "The ERA5 data have large errors in some months.",
      "In January, the turbines followed their measured power curve.",
      "But the turbines produced only 68 % of the energy that the model predicts from ERA5 data.",
      "",
    ],
    missed: listMissed(kelmarsh, borne),
  };
}
