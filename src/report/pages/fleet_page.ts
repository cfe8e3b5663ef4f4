import type { DrawingPool } from "../../plots/drawing/drawing_pool.ts";
import { plotFleetMonths, plotMembersMap, plotSmallCharts } from "./charts.ts";
import { buildFleetTable, buildParksTable, formatFigure } from "./figure_table.ts";
import type { FleetContent } from "../content/fleet_content.ts";
import { countUnits } from "../content/fleet_figures.ts";
import { type Content, joinUnits, type Markup, markup } from "./markup.ts";
import { messages } from "../content/messages.ts";
import { buildFigure, buildPage, listSources } from "./page.ts";
import { formatStamp } from "../content/sources.ts";
import { buildStripLegend } from "./strip.ts";
import { pickColumns } from "../../api/columns/column.ts";
import { figures } from "../../api/columns/columns.ts";

const [abnormality, last12, year, energy] = pickColumns(figures, [
  "month_abnormality_index",
  "last12_month_index",
  "last_full_year_index",
  "predicted_production",
]);

/** The main figures, above the tables. */
function buildHeadline({ figures: all }: FleetContent): Markup {
  const { labels } = messages;
  const items: readonly (readonly [string, number | null, string])[] = [
    [messages.label(abnormality), all.abnormality, abnormality.unit!],
    [messages.label(last12), all.last12, last12.unit!],
    [messages.label(year), all.year, year.unit!],
    [messages.label(energy), all.energy, energy.unit!],
    [labels.produced, all.ratio, abnormality.unit!],
  ];
  return markup`<dl class="headline">
${
    items.map(([label, value, unit]) => {
      const text: Content = value === null
        ? formatFigure(value)
        : [messages.figure(value, unit), markup`<span class="unit">${unit}</span>`];
      return markup`<div><dt>${label}</dt><dd class="value">${text}</dd></div>`;
    })
  }
</dl>`;
}

/** Turbines without figures, each with the reason. */
function buildWithoutFigures({ members }: FleetContent): Content {
  const without = members.filter(({ reason }) => reason !== undefined);
  if (without.length === 0) return "";
  return markup`<section aria-labelledby="without">
<h2 id="without">${messages.headings.without}</h2>
<ul>
${without.map(({ name, reason }) => markup`<li>${messages.because(name, reason!)}</li>`)}
</ul>
</section>`;
}

/** Lines on where the figures of a fleet come from. */
export function listFleetSources({ members, source, origin }: FleetContent): string[] {
  const { fleet } = messages.sources;
  const number = countUnits(members.filter(({ file }) => file !== undefined));
  const line = source &&
    fleet(number, origin.world, formatStamp(source.first), formatStamp(source.last));
  return [...(line ? [line] : []), ...listSources([], origin)];
}

export async function buildFleetPage(content: FleetContent, pool: DrawingPool): Promise<string> {
  const { title, fleet, month, members, groups, months, origin, summary } = content;
  const { headings } = messages;
  const charts = await Promise.all(
    [
      months.length > 0 ? plotFleetMonths(content) : undefined,
      plotSmallCharts(members, origin),
      plotMembersMap(members, month, origin),
    ].map((chart) => chart && pool.svg(chart)),
  );
  const [index, small, map] = charts.map((svg) => svg && buildFigure(svg));
  const note = (text: Content) => markup`<p class="note">${text}</p>`;
  const parks = groups.length === 0 ? "" : markup`<section aria-labelledby="parks">
<h2 id="parks">${headings.groups}</h2>
${buildParksTable(groups, content)}
</section>`;
  const turbineByTurbine = small && markup`<section aria-labelledby="small">
<h2 id="small">${headings.small}</h2>
${small}
</section>`;
  const main = markup`<section aria-labelledby="short">
<h2 id="short">${headings.short}</h2>
<p class="summary">${joinUnits(summary.join(" "))}</p>
${buildHeadline(content)}
<div class="charts">
<div class="months-chart">${index ?? ""}</div>
<div class="place">${map ?? note(messages.missing.places)}</div>
</div>
</section>
${parks}
<section aria-labelledby="fleet">
<h2 id="fleet">${headings.fleet}</h2>
${note([messages.fleet.order(groups.length > 0), messages.fleet.strip(month), buildStripLegend()])}
${buildFleetTable(content)}
${note([messages.fleet.sums, messages.fleet.interval])}
</section>
${buildWithoutFigures(content)}
${turbineByTurbine ?? ""}`;
  const made = origin.generatedAt.slice(0, 10);
  return buildPage({
    title,
    about: messages.about(fleet, members.length, content.units, made, content.reference),
    main,
    sources: listFleetSources(content),
    origin,
  });
}
