import { figures } from "../api/columns.ts";
import { labelWithUnit } from "../api/column.ts";
import { type MonthLike, toMonth } from "../api/calendar.ts";
import { ArgumentError } from "../api/errors.ts";
import { SYNTHETIC, type World } from "../api/world.ts";
import { provenance } from "../frames/provenance.ts";
import { fleetTable } from "./_figure_table.ts";
import { Markup, markup } from "./_markup.ts";
import { messages } from "./_messages.ts";
import { indicesOf, lastMonthWithFigures, monthRows } from "./_months.ts";
import { type PageOrigin, sourceFor, sourceLine } from "./_sources.ts";
import { STYLES } from "./_styles.ts";
import { type TurbinePart, turbineSection } from "./_turbine_section.ts";
import type { TurbineReport } from "./turbine_report.ts";

/** Options of {@linkcode reportPage}. */
export interface ReportPageOptions {
  /** Title of the page. */
  readonly title: string;
  /** Where the figures come from; those of the sample make the page say SYNTHETIC. */
  readonly world: World;
  /** Attributions that the data require. */
  readonly attribution: readonly string[];
  /** When the page was made, ISO 8601 UTC. @default now */
  readonly generatedAt?: string;
  /** Month of the report. @default the last month that has figures */
  readonly month?: MonthLike;
}

const CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  "base-uri 'none'; form-action 'none'";

function originOf(turbines: readonly TurbineReport[], options: ReportPageOptions): PageOrigin {
  const frames = turbines.flatMap(({ indices, comparison }) =>
    comparison ? [indices, comparison] : [indices]
  );
  const known = frames.flatMap((frame) => provenance(frame) ?? []);
  const attribution = [...options.attribution, ...known.flatMap((one) => one.attribution)];
  return {
    world: known.some((one) => one.world === "sample") ? "sample" : options.world,
    attribution: [...new Set(attribution)],
    generatedAt: options.generatedAt ?? new Date().toISOString(),
  };
}

function definitions(): Markup {
  return markup`<section aria-labelledby="definitions">
<h2 id="definitions">What the figures mean</h2>
<p>${messages.normal}</p>
<dl class="terms">
${
    figures.map((column) =>
      markup`<div><dt>${labelWithUnit(column)}</dt><dd>${column.description}</dd></div>`
    )
  }
<div><dt>Produced, predicted</dt><dd>${messages.comparison}</dd></div>
</dl>
<p>${messages.missing}</p>
</section>`;
}

function sources(parts: readonly TurbinePart[], origin: PageOrigin): Markup {
  const lines = parts.flatMap(({ name, report: { indices, comparison } }) => [
    sourceLine(`Indices of ${name}`, indices),
    ...(comparison ? [sourceLine(`Prediction compared for ${name}`, comparison)] : []),
  ]);
  return markup`<footer>
<h2>Sources</h2>
<ul>
${lines}
${origin.attribution.map((text) => markup`<li>${text}</li>`)}
</ul>
<p>Made with Vindkit, ${origin.generatedAt}</p>
</footer>`;
}

/**
 * Makes a report on turbines: one HTML page that needs no network and prints on A4.
 *
 * @param turbines Details, indices and, where production is known, the comparison of each turbine
 * @param options Title, origin and month
 * @returns The page
 * @throws {ArgumentError} If there is no turbine, or one has no indices
 */
export async function reportPage(
  turbines: readonly TurbineReport[],
  options: ReportPageOptions,
): Promise<string> {
  if (turbines.length === 0) {
    throw new ArgumentError("Cannot make a report: there is no turbine. Give at least one");
  }
  const origin = originOf(turbines, options);
  const parts = turbines.map((turbine): TurbinePart => {
    const indices = indicesOf(turbine);
    return {
      report: turbine,
      indices,
      name: turbine.details.name || turbine.details.turbine_id,
      rows: monthRows(indices),
      detailsSource: sourceFor(undefined, origin, "turbine_details"),
      indicesSource: sourceFor(turbine.indices, origin, "monthly_indices"),
      comparisonSource: sourceFor(turbine.comparison, origin, "model_data"),
    };
  });
  const month = options.month === undefined
    ? lastMonthWithFigures(parts.map((part) => part.rows))
    : toMonth(options.month).toString();
  const sections: Markup[] = [];
  for (const [i, part] of parts.entries()) {
    sections.push(await turbineSection(part, month, i + 1));
  }
  const banner = origin.world === "sample"
    ? markup`<p class="synthetic" role="note">${SYNTHETIC}: ${messages.synthetic}</p>`
    : "";
  const made = origin.generatedAt.slice(0, 10);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Markup(CSP)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${options.title}</title>
<style>${new Markup(STYLES)}</style>
</head>
<body>
<header>
<h1>${options.title}</h1>
<p class="about">${messages.about(month, parts.length, made)}</p>
${banner}
</header>
<main>
<section aria-labelledby="fleet">
<h2 id="fleet">${messages.fleet(month)}</h2>
${fleetTable(parts, month)}
</section>
${sections}
${definitions()}
</main>
${sources(parts, origin)}
</body>
</html>
`.html;
}
