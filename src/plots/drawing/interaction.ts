import type { ChartSpec } from "./recolor.ts";
import { fontSize, palette } from "./theme.ts";

type Spec = Readonly<Record<string, unknown>>;

/** A channel of a unit as far as it is read here. */
interface Channel {
  readonly field?: string;
  readonly datum?: unknown;
  readonly type?: string;
  readonly legend?: unknown;
  readonly scale?: Spec;
  readonly axis?: { readonly title?: string | readonly string[] | null } | null;
}

/** A layer of a view: a mark with its channels. */
interface Unit extends Spec {
  readonly mark: { readonly type: string; readonly opacity?: number };
  readonly encoding?: Readonly<Record<string, Channel>>;
  readonly transform?: readonly Spec[];
  readonly params?: readonly Spec[];
}

/** Channels with a legend. */
const LEGEND_CHANNELS = ["color", "fill", "stroke", "shape"];

/** Fields of horizontal axes of time. */
const PERIODS: readonly (string | undefined)[] = ["month", "period", "at"];

/** Marks that are drawn a row each, so that a row can be muted. */
const ROW_MARKS = ["bar", "rect", "point", "circle", "tick", "arc"];

/** Opacity of what is not chosen. */
const MUTED = 0.15;

/** Opacity of a unit: Vega-Lite draws points and ticks paler. */
const opacityOf = ({ mark: { type, opacity } }: Unit): number =>
  opacity ?? (["point", "circle", "tick"].includes(type) ? 0.7 : 1);

/** A name in a legend as a field: a click on an entry chooses values of a field. */
function nameSeries(unit: Unit): Unit {
  const { encoding = {}, transform = [] } = unit;
  const channel = LEGEND_CHANNELS.find((name) => encoding[name]?.datum !== undefined);
  if (channel === undefined) return unit;
  const { datum, ...rest } = encoding[channel];
  const field = `${channel}_name`; // channels with one field would share a legend
  return {
    ...unit,
    transform: [...transform, { calculate: JSON.stringify(datum), as: field }],
    encoding: {
      ...encoding,
      [channel]: { ...rest, field, scale: { domain: [datum], ...rest.scale } },
    },
  };
}

/** Fields of the legends of a unit. */
function listLegendFields({ encoding = {} }: Unit): string[] {
  return LEGEND_CHANNELS.flatMap((name) => {
    const { type, legend, field } = encoding[name] ?? {};
    return type === "nominal" && legend !== null && field !== undefined ? [field] : [];
  });
}

/** What a unit shows: its name in the legend, or the title of its vertical axis. */
function findLabel({ encoding = {}, transform = [] }: Unit): string {
  const series = transform.find(({ as }) => String(as).endsWith("_name"));
  if (series) return JSON.parse(String(series.calculate));
  return [encoding.y.axis?.title ?? "Values"].flat().join(" ");
}

/** The figure of the chosen period at the upper right; nothing before one is chosen. */
function buildReadout(host: Unit, param: string): Unit[] {
  const { x, y: { field } } = host.encoding!;
  if (field === undefined || !/^\w+$/.test(field) || !["bar", "line"].includes(host.mark.type)) {
    return [];
  }
  const name = JSON.stringify(`${findLabel(host)}: `);
  const text = x.type === "ordinal"
    ? `${name} + datum.rows + ' selected, mean ' + format(datum.mean, ',.1f') + ', ' + ` +
      `format(datum.low, ',.1f') + ' to ' + format(datum.high, ',.1f')`
    : `${name} + datum.rows + ' drawn values selected, mean ' + format(datum.mean, ',.2f')`;
  const look = {
    ...{ align: "right", baseline: "top", x: "width", y: 2 },
    ...{ color: palette.black, fontSize: fontSize.axis, fontWeight: "bold", tooltip: null },
  };
  return [{
    ...(host.data === undefined ? {} : { data: host.data }),
    transform: [
      { filter: { param, empty: false } },
      { filter: { field, valid: true } },
      {
        aggregate: [
          { op: "count", as: "rows" },
          { op: "mean", field, as: "mean" },
          { op: "min", field, as: "low" },
          { op: "max", field, as: "high" },
        ],
      },
      { filter: "datum.rows > 0" },
      { calculate: text, as: "readout" },
    ],
    mark: { type: "text", ...look },
    encoding: { text: { field: "readout", type: "nominal" } },
  }];
}

/** Mutes the rows of a unit that are in none of the choices. */
function mute(unit: Unit, params: readonly string[]): Unit {
  const value = opacityOf(unit);
  if (params.length === 0 || value === 0 || unit.encoding?.opacity !== undefined) return unit;
  const condition = { test: { and: params.map((param) => ({ param })) }, value };
  const opacity = { condition, value: MUTED * value } as Channel;
  return { ...unit, encoding: { ...unit.encoding, opacity } };
}

/** Gives the names of parameters: one a chart each. */
type Namer = (kind: string) => string;

/** Layers of one view: a choice in one of them holds for all that have its field. */
function makeLayers(layers: readonly Unit[], facet: string | undefined, name: Namer): Unit[] {
  const units = layers.map(nameSeries);
  const choices: { readonly param: string; readonly chosen: (unit: Unit) => boolean }[] = [];
  const choose = (
    kind: string,
    at: number,
    select: Spec,
    chosen: (unit: Unit) => boolean,
    bind: Spec = {},
  ) => {
    const param = name(kind);
    const { params = [] } = units[at];
    units[at] = { ...units[at], params: [...params, { name: param, select, ...bind }] };
    choices.push({ param, chosen });
    return param;
  };
  const isRow = (unit: Unit) => ROW_MARKS.includes(unit.mark.type);
  for (const field of new Set(units.flatMap(listLegendFields))) {
    const chosen = (unit: Unit) => listLegendFields(unit).includes(field);
    const select = { type: "point", fields: [field] };
    choose("legend", units.findIndex(chosen), select, chosen, { bind: "legend" });
  }
  const host = units.findIndex((unit) =>
    PERIODS.includes(unit.encoding?.x?.field) && opacityOf(unit) > 0 &&
    unit.encoding?.y?.field !== undefined
  );
  const readouts: Unit[] = [];
  if (host >= 0) {
    const { field } = units[host].encoding!.x;
    const chosen = (unit: Unit) => isRow(unit) && unit.encoding?.x?.field === field;
    const param = choose("period", host, { type: "interval", encodings: ["x"] }, chosen);
    readouts.push(...buildReadout(units[host], param));
  }
  const turbine = facet ??
    units.flatMap(({ encoding }) => (encoding?.tooltip ?? []) as readonly Channel[])
      .find(({ field }) => field === "turbines")?.field;
  const chosen = (unit: Unit) =>
    isRow(unit) && unit.encoding?.tooltip !== undefined && opacityOf(unit) > 0;
  const at = units.findIndex(chosen);
  if (turbine !== undefined && at >= 0) {
    choose("turbine", at, { type: "point", fields: [turbine] }, chosen);
  }
  return [
    ...units.map((unit) =>
      mute(unit, choices.filter(({ chosen }) => chosen(unit)).map(({ param }) => param))
    ),
    ...readouts,
  ];
}

/** A view of layers, of other views, or of one for each turbine. */
interface View extends Spec {
  readonly vconcat?: readonly View[];
  readonly hconcat?: readonly View[];
  readonly spec?: View;
  readonly facet?: Channel;
  readonly layer?: readonly Unit[];
}

function makeView(view: View, facet: string | undefined, name: Namer): View {
  const { vconcat, hconcat, spec, layer } = view;
  const make = (views: readonly View[]) => views.map((part) => makeView(part, undefined, name));
  if (vconcat) return { ...view, vconcat: make(vconcat) };
  if (hconcat) return { ...view, hconcat: make(hconcat) };
  if (spec) return { ...view, spec: makeView(spec, view.facet?.field, name) };
  return layer ? { ...view, layer: makeLayers(layer, facet, name) } : view;
}

/**
 * Adds what a reader can do without a kernel: a click on a legend shows an entry alone (with Shift several), dragging
 * over a time axis chooses a period and gives its mean, a click on a turbine of a fleet shows it alone. Before that the
 * picture is the same.
 */
export function makeInteractive(spec: ChartSpec): ChartSpec {
  let count = 0;
  return makeView(spec, undefined, (kind) => `${kind}${count++}`);
}
