import { monthLabel } from "../frames/zones.ts";
import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../api/column.ts";
import { figures } from "../api/columns.ts";
import { comparisonColumns, MIN_COMPARED } from "../analysis/comparison_columns.ts";
import { plotActualAgainstPredicted } from "../plots/actual_predicted.ts";
import type { Chart } from "../plots/chart.ts";
import { plotMonthlyIndices } from "../plots/monthly_indices.ts";
import { plotPowerCurve } from "../plots/power_curve.ts";
import { formatMonth } from "../show/month.ts";
import { formatNumber } from "../show/number.ts";
import { twelveMonthTable } from "./_figure_table.ts";
import { type Content, Markup, markup } from "./_markup.ts";
import { messages } from "./_messages.ts";
import { type MonthRows, monthRows, statusOf, upTo } from "./_months.ts";
import type { TurbineReport } from "./turbine_report.ts";

/** A turbine, read for its section. */
export interface TurbinePart {
  /** What was given. */
  readonly report: TurbineReport;
  /** Indices of this turbine alone. */
  readonly indices: DataFrame;
  /** Name, or the id of a turbine without one. */
  readonly name: string;
  /** The same by month. */
  readonly rows: MonthRows;
  /** Frame whose provenance the chart of the power curve states. */
  readonly detailsSource: DataFrame;
  /** Frame whose provenance the chart of the indices states. */
  readonly indicesSource: DataFrame;
  /** Frame whose provenance the chart of the comparison states. */
  readonly comparisonSource: DataFrame;
}

const [abnormality, last12, energy] = pickColumns(figures, [
  "month_abnormality_index",
  "last12_month_index",
  "predicted_production",
]);
const [produced, ratio, completeness] = pickColumns(comparisonColumns, [
  "produced",
  "ratio",
  "completeness",
]);

/** A text that does not break over lines. */
function whole(text: string): Markup {
  return markup`<span class="whole">${text}</span>`;
}

function place(latitude: number | null, longitude: number | null): Content | null {
  if (latitude === null || longitude === null) return null;
  const north = `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? "S" : "N"},`;
  const east = `${Math.abs(longitude).toFixed(4)}° ${longitude < 0 ? "W" : "E"}`;
  return [whole(north), whole(east)];
}

function facts({ report: { details } }: TurbinePart): Markup {
  const { last_wind_index: last } = details;
  const measure = (value: number | null, unit: string) =>
    value === null ? null : `${formatNumber(value, Number.isInteger(value) ? 0 : 1)} ${unit}`;
  const [start, end] = [details.training_start, details.training_end]
    .map((day) => whole(day ?? "not known"));
  const items: readonly (readonly [string, Content | null])[] = [
    ["Id", details.turbine_id],
    ["Place", place(details.latitude, details.longitude)],
    ["Hub height", measure(details.hub_height, "m")],
    ["Rated power", measure(details.rated_power, "kW")],
    ["Rotor diameter", measure(details.rotor_diameter, "m")],
    ["Time zone", details.time_zone],
    ["Training window", markup`${start} to ${end}`],
    ["Last index", last && formatMonth(monthLabel(last))],
  ];
  return markup`<dl class="facts">
${items.map(([term, text]) => markup`<div><dt>${term}</dt><dd>${text ?? "not known"}</dd></div>`)}
</dl>`;
}

/** Produced energy beside that of a whole month counts only where nearly all hours were compared. */
function wholeMonths(compared: MonthRows): MonthRows {
  return {
    ...compared,
    number: (column, month) =>
      (compared.number(completeness.name, month) ?? 1) >= MIN_COMPARED
        ? compared.number(column, month)
        : null,
  };
}

function sentences(part: TurbinePart, compared: MonthRows | undefined, month: string): Markup {
  const { rows, name, report: { details } } = part;
  const [wind, normal, year] = [energy, abnormality, last12]
    .map((column) => rows.number(column.name, month));
  const said: string[] = [];
  if (wind === null && normal === null) said.push(messages.noFigures(name, month));
  else said.push(messages.month(name, month, wind, normal));
  if (year !== null) said.push(messages.twelveMonths(year));
  const [made, share, hours] = [produced, ratio, completeness]
    .map((column) => compared?.number(column.name, month) ?? null);
  if (made !== null && share !== null) said.push(messages.produced(made, share, hours));
  if (wind !== null && statusOf(rows, month) === "preliminary") said.push(messages.preliminary);
  if (!details.data_ready) said.push(messages.notReady);
  return markup`<p>${said.join(" ")}</p>`;
}

async function figure(chart: Chart): Promise<Markup> {
  return markup`<figure>${new Markup(await chart.svg())}</figure>`;
}

/** Everything the page says about one turbine. */
export async function turbineSection(
  part: TurbinePart,
  month: string,
  position: number,
): Promise<Markup> {
  const { name, detailsSource, indicesSource, comparisonSource } = part;
  const { details } = part.report;
  const comparison = part.report.comparison && upTo(part.report.comparison, month);
  const compared = comparison && monthRows(comparison);
  const charts: Content[] = [
    await figure(
      plotMonthlyIndices(upTo(part.indices, month), {
        source: indicesSource,
        title: `${figures[0].label} of ${name}`,
      }),
    ),
    comparison && comparison.height > 0
      ? await figure(
        plotActualAgainstPredicted(comparison, {
          source: comparisonSource,
          title: `Produced against predicted energy of ${name}`,
        }),
      )
      : markup`<p class="note">${messages.noComparison}</p>`,
    details.power_curve && details.power_curve.power.length > 0
      ? await figure(plotPowerCurve(details, { source: detailsSource }))
      : markup`<p class="note">${messages.noCurve}</p>`,
  ];
  const history = twelveMonthTable(
    part.rows,
    month,
    compared && { rows: wholeMonths(compared), columns: [produced, ratio] },
  );
  const id = `turbine-${position}`;
  return markup`<section class="turbine" aria-labelledby="${id}">
<h2 id="${id}">${name}</h2>
${sentences(part, compared, month)}
${facts(part)}
<h3>Last 12 months</h3>
${history}
<h3>Charts</h3>
${charts}
</section>`;
}
