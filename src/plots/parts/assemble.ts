import { SYNTHETIC } from "../../api/world.ts";
import { formatRemarks, formatSources, isSynthetic, type Origin } from "../../frames/provenance.ts";
import { formatMissingSource } from "../../show/sample_use.ts";
import { Chart } from "../drawing/chart.ts";
import { cleanText, wrapText } from "./text.ts";
import type { Theme } from "../drawing/recolor.ts";
import { chartConfig, fontSize, palette } from "../drawing/theme.ts";

/** A piece of a Vega-Lite specification. */
export type Spec = Record<string, unknown>;

interface ChartParts {
  readonly title: string;
  /** Texts below the title, a line or more each. */
  readonly subtitle: readonly string[];
  /** Views, from the top. */
  readonly views: readonly Spec[];
  /** Notes below the views, before the source. */
  readonly notes?: readonly string[];
  /** Width of the views, pixels. */
  readonly width: number;
  /** What the chart shows, as text for screen readers. */
  readonly altText: string;
  /** Sources of the figures. */
  readonly origin: Origin;
  /** Colours. @default {"auto"} */
  readonly theme?: Theme | undefined;
}

const SYNTHETIC_LINE = `${SYNTHETIC}: invented figures, not real data`;

/** Formats the sources of the figures, without the time of day, the hash and the notes, which are above the views. */
function formatSourceLines(origin: Origin): string[] {
  if (origin.length === 0) return [formatMissingSource()];
  const [source, ...others] = formatSources(origin)
    .map((line) => line.replace(/(?:T\d\d:\d\dZ)?(?:, sha256 [0-9a-f]+)?$/, ""));
  return [
    `Source: ${source}`,
    ...others.map((line) => `Also: ${line}`),
    ...formatRemarks(origin.map(({ notes: _, ...source }) => source)),
  ];
}

/** Padding of the badge and height of its lines, pixels. */
const BADGE = { side: 8, above: 6, line: 14 };

/** The framed SYNTHETIC line under the title, without a colour that the data have; two lines in a narrow picture. */
function buildBadge(width: number): Spec {
  const lines = wrapText(SYNTHETIC_LINE, width - 2 * BADGE.side, fontSize.subtitle, true);
  const height = BADGE.above + BADGE.line * lines.length;
  return {
    data: { values: [{}] },
    width,
    height,
    view: { stroke: palette.black, strokeWidth: 1 },
    mark: {
      type: "text",
      align: "left",
      color: palette.black,
      fontSize: fontSize.subtitle,
      fontWeight: "bold",
      lineHeight: BADGE.line,
      text: lines.length === 1 ? lines[0] : lines,
      x: BADGE.side,
      y: (BADGE.above + BADGE.line) / 2,
    },
  };
}

/** Keeps the legends at their views: shared with the badge, they would be drawn above it. Several views share one legend. */
const OWN_LEGENDS: Spec = {
  legend: {
    color: "independent",
    fill: "independent",
    opacity: "independent",
    shape: "independent",
    size: "independent",
    stroke: "independent",
  },
};

function joinViews(views: readonly Spec[]): Spec {
  return views.length === 1 ? views[0] : { vconcat: [...views] };
}

/** Joins badge, title, views and caption into a chart. */
export function assembleChart(parts: ChartParts): Chart {
  const { width, origin } = parts;
  const synthetic = isSynthetic(origin);
  const remarks = new Set(origin.flatMap(({ notes = [] }) => notes));
  const caption = [...(parts.notes ?? []), ...formatSourceLines(origin)]
    .flatMap((line) => wrapText(line, width, fontSize.caption));
  const lineHeight = fontSize.caption + 3;
  return new Chart({
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description: cleanText(
      [...(synthetic ? [`${SYNTHETIC_LINE}.`] : []), parts.altText, ...remarks]
        .join(" "),
    ),
    title: {
      text: wrapText(parts.title, width, fontSize.title, true),
      subtitle: [...parts.subtitle, ...remarks]
        .flatMap((line) => wrapText(line, width, fontSize.subtitle)),
    },
    vconcat: [...(synthetic ? [buildBadge(width)] : []), joinViews(parts.views), {
      data: { values: [{}] },
      width,
      height: caption.length * lineHeight,
      mark: {
        type: "text",
        align: "left",
        baseline: "top",
        color: palette.faint,
        fontSize: fontSize.caption,
        lineHeight,
        text: caption,
        x: 0,
        y: 0,
      },
    }],
    resolve: OWN_LEGENDS,
    config: chartConfig,
  }, parts.theme);
}
