import { SYNTHETIC } from "../api/world.ts";
import { type Provenance, provenanceLines } from "../frames/provenance.ts";
import { Chart } from "./chart.ts";
import { printable, wrapped } from "./_text.ts";
import { fontSize, palette, theme } from "./theme.ts";

/** A piece of a Vega-Lite specification. */
export type Spec = Record<string, unknown>;

/** Parts of a chart. */
export interface ChartParts {
  /** Title. */
  readonly title: string;
  /** Texts below the title, a line or more each. */
  readonly subtitle: readonly string[];
  /** Views, from the top. */
  readonly views: readonly Spec[];
  /** Notes that stand before the source, below the views. */
  readonly notes?: readonly string[];
  /** Width of the views, pixels. */
  readonly width: number;
  /** What the chart shows, for those who do not see it. */
  readonly altText: string;
  /** Where the figures come from. */
  readonly origin: Provenance | undefined;
}

const SYNTHETIC_LINE = `${SYNTHETIC}: invented figures, not real data`;

/** Where the figures come from, without the time of day and the hash. */
function sourceLines(origin: Provenance | undefined): string[] {
  if (!origin) return ["Source: not stated"];
  const [source, ...attribution] = provenanceLines(origin);
  return [`Source: ${source.replace(/T\d\d:\d\dZ(, sha256 [0-9a-f]+)?$/, "")}`, ...attribution];
}

/** A line under the title that cannot be overlooked. */
function badge(width: number): Spec {
  return {
    data: { values: [{}] },
    width,
    height: 18,
    layer: [
      {
        mark: { type: "rect", color: palette.orange },
        encoding: { x: { value: 0 }, x2: { value: width }, y: { value: 0 }, y2: { value: 18 } },
      },
      {
        mark: {
          type: "text",
          align: "left",
          color: palette.black,
          fontSize: fontSize.subtitle,
          fontWeight: "bold",
          text: SYNTHETIC_LINE,
          x: 8,
          y: 9,
        },
      },
    ],
  };
}

/** Keeps the legends of a lone view beside it: shared, they stand above the badge. Several views share theirs. */
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

/** Puts title, views and source together. */
export function assembleChart(parts: ChartParts): Chart {
  const { width, origin } = parts;
  const synthetic = origin?.world === "sample";
  const caption = [...(parts.notes ?? []), ...sourceLines(origin)]
    .flatMap((line) => wrapped(line, width, fontSize.caption));
  const lineHeight = fontSize.caption + 3;
  return new Chart({
    $schema: "https://vega.github.io/schema/vega-lite/v5.json",
    description: printable(synthetic ? `${SYNTHETIC_LINE}. ${parts.altText}` : parts.altText),
    title: {
      text: wrapped(parts.title, width, fontSize.title),
      subtitle: parts.subtitle.flatMap((line) => wrapped(line, width, fontSize.subtitle)),
    },
    vconcat: [...(synthetic ? [badge(width)] : []), ...parts.views, {
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
    ...(parts.views.length === 1 ? { resolve: OWN_LEGENDS } : {}),
    config: theme,
  });
}
