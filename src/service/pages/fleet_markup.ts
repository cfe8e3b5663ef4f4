import { html, raw } from "hono/html";
import { pickColumns } from "../../api/columns/column.ts";
import { windIndicesCsv } from "../../api/columns/columns.ts";
import { turbineDetailsFields } from "../../api/columns/turbine_columns.ts";
import { formatDegrees } from "../../plots/maps/local_map.ts";
import { OUTLINES_SOURCE } from "../../plots/maps/outlines.ts";
import {
  calendarMonth,
  formatCount,
  formatMonth,
  formatNumber,
  lowerFirst,
} from "../../show/text/numbers.ts";
import { markName } from "../../sites/calibration/calibration_notes.ts";
import type { StoredMonth, StoredTurbine } from "../../sites/keep/site_record.ts";
import { formatMonthLabel, monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import type { Html } from "./page.ts";

/** A turbine on the page. */
export interface FleetMember {
  /** Number on the page, from 1: it names the card. */
  readonly number: number;
  readonly stored: StoredTurbine;
  /** Its name, with the mark of its figures. */
  readonly name: string;
  /** The marks of its figures in words. */
  readonly marks: readonly string[];
  /** Its last month with a figure to compare with the season. */
  readonly last: StoredMonth | undefined;
  /** The months of its chart. */
  readonly recent: readonly StoredMonth[];
}

/** Addresses of parts of the page. */
export interface FleetAddresses {
  /** Address of the news feed. */
  readonly news: string;
  /** Address of the map around a turbine. */
  map(id: string, kilometres: number): string;
  /** Address of a turbine's chart and figures, on the scale of all charts of the page. */
  months(id: string, scale: readonly [low: number, high: number]): string;
}

const [abnormality, last12, index, production] = pickColumns(windIndicesCsv, [
  "month_abnormality_index",
  "last12_month_index",
  "month_index",
  "predicted_production",
]);
const [ratedPower, hubHeight] = pickColumns(turbineDetailsFields, ["rated_power", "hub_height"]);

/** A whole figure with its unit, joined by a no-break space; "no data" if it is missing. */
function formatFigure(value: number | null, unit = "%"): string {
  return value === null ? "no data" : `${formatNumber(value)}\u00a0${unit}`;
}

const nameMonth = (month: StoredMonth) => formatMonth(formatMonthLabel(month));

/** "a normal October": the reference of a month's abnormality. */
const nameNormal = (month: StoredMonth) => `a normal ${calendarMonth(formatMonthLabel(month))}`;

const isPreliminary = ({ status }: StoredMonth) => status === "preliminary";

/** Name of a turbine on pages, with the mark of its figures. */
export function showName(
  { turbine, calibration }: StoredTurbine,
  name: string = turbine.name,
): string {
  return markName(calibration, name);
}

/** Describes the last month of a turbine, for its mark on the map. */
export function describeLast(last: StoredMonth | undefined): string {
  if (!last) return "No index yet.";
  const mark = isPreliminary(last) ? " (preliminary)" : "";
  const share = formatFigure(last.month_abnormality_index);
  return `${nameMonth(last)}${mark}: ${share} of ${nameNormal(last)}, last 12 months: ${
    formatFigure(last.last12_month_index)
  }.`;
}

/** Describes turbines in a sentence. */
export function describeFleet(members: readonly FleetMember[]): string {
  const lasts = members.flatMap(({ last }) => last ?? []);
  if (lasts.length === 0) return "These turbines have no index yet.";
  const latest = lasts.reduce((a, b) => monthNumberOf(a) >= monthNumberOf(b) ? a : b);
  const inLatest = lasts.filter((month) => monthNumberOf(month) === monthNumberOf(latest));
  const values = inLatest.map((month) => month.month_abnormality_index!);
  const [low, high] = [Math.min(...values), Math.max(...values)].map((one) => formatFigure(one));
  const span = low === high ? low : `between ${low} and ${high}`;
  const subject = inLatest.length < members.length
    ? `${inLatest.length} of them`
    : members.length === 1
    ? "it"
    : "all of them";
  const remark = lasts.length === members.length
    ? ""
    : ` ${
      formatCount(members.length - lasts.length, "turbine has", "turbines have")
    } no figures: see the cards for the reason.`;
  return `The latest month is ${nameMonth(latest)}: ${subject} had ${span} of the energy of ${
    nameNormal(latest)
  }.${remark}`;
}

/** Definitions of the figures on the cards, from the contract. */
function renderGlossary(): Html {
  return html`
    <details class="glossary">
      <summary>What the figures mean</summary>
      <dl>
        ${[abnormality, last12, index, production].map(({ label, description }) =>
          html`
            <dt>${label}</dt>
            <dd>${description}</dd>
          `
        )}
      </dl>
    </details>
  `;
}

function renderLast(month: StoredMonth): Html {
  const { predicted_production_low: low, predicted_production_high: high } = month;
  const interval = low === null || high === null
    ? "not known"
    : `${formatNumber(low)} to ${formatFigure(high, production.unit)}`;
  const figures = [
    [last12.label, formatFigure(month.last12_month_index)],
    [index.label, formatFigure(month.month_index)],
    [production.label, formatFigure(month.predicted_production, production.unit)],
    ["its 90\u00a0% interval", interval],
  ];
  return html`
    <p
      class="headline"><strong>${formatFigure(
        month.month_abnormality_index,
      )}</strong><span>of ${nameNormal(month)}, in ${month.year}${isPreliminary(month)
        ? html`
          <span class="mark">preliminary</span>
        `
        : ""}</span></p>
    <dl>${figures.map(([label, figure]) =>
      html`
        <div>
          <dt>${label}</dt>
          <dd>${figure}</dd>
        </div>
      `
    )}</dl>
  `;
}

/** Sorts turbines by the figure of the latest month, the weakest first; then turbines without this month, then turbines without figures. */
export function sortWeakestFirst(members: readonly FleetMember[]): FleetMember[] {
  const age = ({ last }: FleetMember) => last ? -monthNumberOf(last) : 0;
  const figure = ({ last }: FleetMember) => last?.month_abnormality_index ?? 0;
  return members.toSorted((a, b) => age(a) - age(b) || figure(a) - figure(b));
}

/** Ends of the scale of all charts, %. */
export function chooseScale(members: readonly FleetMember[]): [low: number, high: number] {
  const figures = members.flatMap(({ recent }) =>
    recent.flatMap((month) => [month.month_abnormality_index, month.last12_month_index])
  ).filter((value) => value !== null);
  return [Math.floor(Math.min(100, ...figures)), Math.ceil(Math.max(100, ...figures))];
}

/** The card of a turbine: its facts, its last index, and a placeholder for its chart, which loads when it comes into view. */
export function renderCard(
  { number, stored, name, marks, last }: FleetMember,
  addresses: FleetAddresses,
  scale: readonly [low: number, high: number],
): Html {
  const { id, latitude, longitude, timeZone, ...turbine } = stored.turbine;
  const facts = [
    ...(name === id ? [] : [id]),
    `${lowerFirst(ratedPower.label)} ${formatFigure(turbine.ratedPower, ratedPower.unit)}`,
    `${lowerFirst(hubHeight.label)} ${formatFigure(turbine.hubHeight, hubHeight.unit)}`,
    `${formatDegrees(latitude, "NS", 2)}, ${formatDegrees(longitude, "EW", 2)}`,
    timeZone,
    ...marks,
  ];
  const figures = last
    ? html`${renderLast(last)}<div class="chart-space" data-part="${
      addresses.months(id, scale)
    }"></div>`
    : html`<p class="notice">${
      stored.calibration
        ? "No month has an index yet."
        : "No index yet: the turbine is not calibrated. Its index appears here once its production is imported."
    }</p>`;
  return html`
    <article class="card" id="turbine-${number}">
      <h3 tabindex="-1">${name}</h3>
      <p class="facts">${facts.join(" · ")}</p>
      ${figures}
      <div class="card-foot"><button type="button" class="quiet" data-map="${addresses.map(
        id,
        0,
      )}" aria-label="Show ${name} on the map">On the map</button></div>
    </article>
  `;
}

/**
 * Renders the turbines of a licence.
 *
 * @param count How many it covers; the page shows the first of them
 * @param map The map as an SVG
 * @param cards Their cards in order
 */
export function renderFleet({ count, members, map, cards, addresses }: {
  readonly count: number;
  readonly members: readonly FleetMember[];
  readonly map: string;
  readonly cards: readonly Html[];
  readonly addresses: FleetAddresses;
}): Html {
  const all = formatCount(count, "turbine");
  const data = [...new Set(members.flatMap(({ stored }) => stored.attribution))].join("; ");
  return html`
    <h2 id="fleet-title" tabindex="-1">${members.length < count
      ? `The first ${members.length} of ${all}`
      : all}</h2>
    <p id="summary">${describeFleet(members)}</p>
    <section id="map" aria-label="Map">
      <div class="map-frame">${raw(map)}</div>
      <div
        class="map-foot"><p class="map-says" aria-hidden="true">Each mark compares the latest month with a
        normal month of the same name. Choose a turbine to open its card. Arrow keys move to the next
        turbine.</p>
        <button type="button" class="quiet" hidden>Show all turbines</button></div>
    </section>
    <section aria-labelledby="cards-title">
      <h2 id="cards-title">Turbine by turbine, weakest month first</h2>
      ${renderGlossary()}
      <div id="cards">${cards}</div>
    </section>
    <p class="help"><a href="${addresses.news}">Follow new figures in a feed reader</a></p>
    <p id="attribution"
      class="help">${data &&
        `Data: ${data}. `}${OUTLINES_SOURCE}. Coastlines may be wrong by some kilometres.</p>
  `;
}

/**
 * Renders the chart of a turbine, and its figures as a table.
 *
 * @param chart The chart as an SVG
 * @param months Its months, in order of time
 */
export function renderFigures(name: string, chart: string, months: readonly StoredMonth[]): Html {
  const columns = [abnormality, last12, index];
  const monthsByNumber = new Map(months.map((month) => [monthNumberOf(month), month]));
  const newest = monthNumberOf(months[months.length - 1]);
  const numbers = Array.from(
    { length: newest - monthNumberOf(months[0]) + 1 },
    (_, i) => newest - i,
  );
  const renderRow = (number: number) => {
    const month = monthsByNumber.get(number);
    const name = formatMonth(monthOfNumber(number).toString());
    return html`<tr><th scope="row">${name}${
      month && isPreliminary(month) ? " (preliminary)" : ""
    }</th>${
      columns.map((column) => {
        const value = month?.[column.name as "month_index"] ?? null;
        return html`<td>${formatFigure(value)}</td>`;
      })
    }</tr>`;
  };
  return html`
    ${raw(chart)}
    <details>
      <summary aria-label="Figures of the chart of ${name}">Figures</summary>
      <table>
        <thead>
          <tr><th scope="col">Month</th>${columns.map(({ label }) =>
            html`<th scope="col">${label}</th>`
          )}</tr>
        </thead>
        <tbody>${numbers.map(renderRow)}</tbody>
      </table>
    </details>
  `;
}
