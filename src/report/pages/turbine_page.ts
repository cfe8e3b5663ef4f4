import { turbineDetailsFields } from "../../api/columns/turbine_columns.ts";
import { pickColumns } from "../../api/columns/column.ts";
import { formatMonthLabel } from "../../time/zones.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import type { DrawingPool } from "../../plots/drawing/drawing_pool.ts";
import { plotComparison, plotIndices, plotPosition } from "./charts.ts";
import { buildMonthsTable, missing } from "./figure_table.ts";
import { type Content, joinUnits, type Markup, markup } from "./markup.ts";
import { messages } from "../content/messages.ts";
import { buildFigure, buildPage, listSources } from "./page.ts";
import type { FigureSentence, TurbineContent } from "../content/turbine_content.ts";

const [hubHeight, ratedPower, diameter, timeZone] = pickColumns(turbineDetailsFields, [
  "hub_height",
  "rated_power",
  "rotor_diameter",
  "time_zone",
]);

const TABLE_MONTHS = 12;

function formatPosition(latitude: number | null, longitude: number | null): string | null {
  if (latitude === null || longitude === null) return null;
  const north = `${Math.abs(latitude).toFixed(4)}° ${latitude < 0 ? "S" : "N"}`;
  const east = `${Math.abs(longitude).toFixed(4)}° ${longitude < 0 ? "W" : "E"}`;
  return `${north}, ${east}`;
}

/** Facts of a turbine: label and text, `null` where it is not known. */
export function listFacts({ id, units, details }: TurbineContent): [string, string | null][] {
  const { labels } = messages;
  const { last_wind_index: last, training_start: start, training_end: end } = details;
  const measure = (column: typeof hubHeight): [string, string | null] => {
    const value = details[column.name] as number | null;
    return [messages.label(column), value === null ? null : messages.measure(value, column.unit!)];
  };
  return [
    [labels.id, shortenText(id, 200)],
    [labels.place, formatPosition(details.latitude, details.longitude)],
    measure(hubHeight),
    measure(ratedPower),
    measure(diameter),
    ...(units > 1 ? [[labels.units, String(units)] as [string, string]] : []),
    [messages.label(timeZone), details.time_zone && shortenText(details.time_zone)],
    [
      labels.training,
      start === null && end === null
        ? null
        : messages.from(String(start ?? messages.notKnown), String(end ?? messages.notKnown)),
    ],
    [labels.lastIndex, last && messages.monthName(formatMonthLabel(last))],
  ];
}

function buildSentences(sentences: readonly FigureSentence[]): Markup {
  return markup`<dl class="sentences">
${
    sentences.map(({ label, value, unit, sentence }) => {
      const text: Content = value === null
        ? missing
        : [messages.figure(value), markup`<span class="unit">${unit}</span>`];
      return markup`<div><dt>${label}</dt><dd class="value">${text}</dd><dd>${
        joinUnits(sentence)
      }</dd></div>`;
    })
  }
</dl>`;
}

export async function buildTurbinePage(
  content: TurbineContent,
  pool: DrawingPool,
): Promise<string> {
  const { id, name, month, months, sentences, remarks, sources, origin, reference } = content;
  const { headings } = messages;
  const charts = await Promise.all(
    [plotIndices(content), plotComparison(content), plotPosition(content)]
      .map((chart) => chart && pool.svg(chart)),
  );
  const [index, comparison, place] = charts.map((svg) => svg && buildFigure(svg));
  const note = (text: string) => markup`<p class="note">${text}</p>`;
  const main = markup`<section aria-labelledby="short">
<h2 id="short">${headings.short}</h2>
${buildSentences(sentences)}
${remarks.length > 0 ? markup`<p>${remarks.join(" ")}</p>` : ""}
</section>
<section aria-labelledby="charts">
<h2 id="charts">${headings.charts}</h2>
<div class="charts months-chart">
${index ?? ""}
${comparison ?? ""}
</div>
</section>
<section aria-labelledby="twelve">
<h2 id="twelve">${headings.twelve}</h2>
${buildMonthsTable(months.slice(-TABLE_MONTHS))}
</section>
<section aria-labelledby="facts">
<h2 id="facts">${headings.facts}</h2>
<dl class="facts">
${
    listFacts(content).map(([term, text]) =>
      markup`<div><dt>${term}</dt><dd>${text ?? messages.notKnown}</dd></div>`
    )
  }
</dl>
<div class="place">${place ?? note(messages.missing.place)}</div>
</section>`;
  const made = origin.generatedAt.slice(0, 10);
  return buildPage({
    title: name,
    single: true,
    about: messages.aboutTurbine(month, shortenText(id), made, reference),
    before: markup`<nav><a href="../index.html">${messages.toFleet(month)}</a></nav>`,
    main,
    sources: listSources(sources, origin),
    origin,
  });
}
