import type { ChartSpec } from "./recolor.ts";
import { fontSize, palette } from "./theme.ts";

type Spec = Record<string, unknown>;

/** Channels with a legend. */
const LEGEND_CHANNELS = ["color", "fill", "stroke", "shape"];

/** Fields of horizontal axes of time. */
const PERIODS: readonly unknown[] = ["month", "period", "at"];

/** Marks that are drawn a row each, so that a row can be muted. */
const ROW_MARKS: readonly unknown[] = ["bar", "rect", "point", "circle", "tick", "arc"];

/** Opacity of what is not chosen. */
const MUTED = 0.15;

const isSpec = (part: unknown): part is Spec =>
  part !== null && typeof part === "object" && !Array.isArray(part);

function readPart(spec: Spec, key: string): Spec {
  const part = spec[key];
  return isSpec(part) ? part : {};
}

/** Mark of a unit, with its opacity: Vega-Lite draws points and ticks paler. */
function readMark(unit: Spec): { readonly type: unknown; readonly opacity: number } {
  const mark = readPart(unit, "mark");
  const usual = ["point", "circle", "square", "tick"].includes(String(mark.type)) ? 0.7 : 1;
  return { type: mark.type, opacity: typeof mark.opacity === "number" ? mark.opacity : usual };
}

function addParam(unit: Spec, name: string, select: Spec, bind: Spec = {}): Spec {
  const params = Array.isArray(unit.params) ? unit.params : [];
  return { ...unit, params: [...params, { name, select, ...bind }] };
}

/** A name in a legend as a field: a click on an entry chooses values of a field. */
function nameSeries(unit: Spec): Spec {
  const encoding = readPart(unit, "encoding");
  const channel = LEGEND_CHANNELS.find((name) => readPart(encoding, name).datum !== undefined);
  if (channel === undefined) return unit;
  const { datum, ...rest } = readPart(encoding, channel);
  const transform = Array.isArray(unit.transform) ? unit.transform : [];
  const field = `${channel}_name`; // channels with one field would share a legend
  return {
    ...unit,
    transform: [...transform, { calculate: JSON.stringify(datum), as: field }],
    encoding: {
      ...encoding,
      [channel]: {
        ...rest,
        field,
        scale: { domain: [datum], ...readPart(rest, "scale") },
      },
    },
  };
}

/** Fields of the legends of a unit. */
function listLegendFields(unit: Spec): string[] {
  const channels = LEGEND_CHANNELS.map((name) => readPart(readPart(unit, "encoding"), name));
  const named = channels.filter(({ type, legend }) => type === "nominal" && legend !== null);
  return [...new Set(named.flatMap(({ field }) => typeof field === "string" ? [field] : []))];
}

/** What a unit shows: its name in the legend, or the title of its vertical axis. */
function findLabel(unit: Spec): string {
  const transforms = Array.isArray(unit.transform) ? unit.transform.filter(isSpec) : [];
  const series = transforms.find(({ as }) => String(as).endsWith("_name"));
  if (series) return String(JSON.parse(String(series.calculate)));
  const { title } = readPart(readPart(readPart(unit, "encoding"), "y"), "axis");
  return Array.isArray(title) ? title.join(" ") : String(title ?? "Values");
}

/** The figure of the chosen period at the upper right; nothing before one is chosen. */
function buildReadout(host: Spec, param: string): Spec[] {
  const { x, y } = readPart(host, "encoding");
  const field = isSpec(y) ? y.field : undefined;
  const wanted = ["bar", "line"].includes(String(readMark(host).type));
  if (typeof field !== "string" || !/^\w+$/.test(field) || !wanted) return [];
  const name = JSON.stringify(`${findLabel(host)}: `);
  const text = isSpec(x) && x.type === "ordinal"
    ? `${name} + datum.rows + ' selected, mean ' + format(datum.mean, ',.1f') + ', ' + ` +
      `format(datum.low, ',.1f') + ' to ' + format(datum.high, ',.1f')`
    : `${name} + datum.rows + ' drawn values selected, mean ' + format(datum.mean, ',.2f')`;
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
    mark: {
      type: "text",
      align: "right",
      baseline: "top",
      color: palette.black,
      fontSize: fontSize.axis,
      fontWeight: "bold",
      tooltip: null,
      x: "width",
      y: 2,
    },
    encoding: { text: { field: "readout", type: "nominal" } },
  }];
}

/** Mutes the rows of a unit that are in none of the choices. */
function mute(unit: Spec, params: readonly string[]): Spec {
  const { opacity } = readMark(unit);
  const encoding = readPart(unit, "encoding");
  if (params.length === 0 || opacity === 0 || encoding.opacity !== undefined) return unit;
  const test = { and: params.map((param) => ({ param })) };
  const condition = { test, value: opacity };
  return { ...unit, encoding: { ...encoding, opacity: { condition, value: MUTED * opacity } } };
}

/** Gives the names of parameters: one a chart each. */
type Namer = (kind: string) => string;

/** Layers of one view: a choice in one of them holds for all that have its field. */
function makeLayers(layers: readonly Spec[], facet: unknown, name: Namer): Spec[] {
  let units = layers.map(nameSeries);
  const readField = (unit: Spec) => readPart(readPart(unit, "encoding"), "x").field;
  const choices: { readonly param: string; readonly chosen: (unit: Spec) => boolean }[] = [];
  const isRow = (unit: Spec) => ROW_MARKS.includes(readMark(unit).type);
  const choose = (at: number, param: string, select: Spec, bind: Spec = {}) => {
    units = units.map((unit, i) => i === at ? addParam(unit, param, select, bind) : unit);
  };
  for (const field of new Set(units.flatMap(listLegendFields))) {
    const at = units.findIndex((unit) => listLegendFields(unit).includes(field));
    const param = name("legend");
    choose(at, param, { type: "point", fields: [field] }, { bind: "legend" });
    choices.push({ param, chosen: (unit) => listLegendFields(unit).includes(field) });
  }
  const host = units.findIndex((unit) =>
    PERIODS.includes(readField(unit)) && readMark(unit).opacity > 0 &&
    readPart(readPart(unit, "encoding"), "y").field !== undefined
  );
  const readouts: Spec[] = [];
  if (host >= 0) {
    const param = name("period");
    choose(host, param, { type: "interval", encodings: ["x"] });
    choices.push({
      param,
      chosen: (unit) => isRow(unit) && readField(unit) === readField(units[host]),
    });
    readouts.push(...buildReadout(units[host], param));
  }
  const turbine = facet ??
    units.flatMap(({ encoding }) => isSpec(encoding) ? encoding.tooltip : [])
      .filter(isSpec).find(({ field }) => field === "turbines")?.field;
  if (typeof turbine === "string") {
    const shown = (unit: Spec) =>
      isRow(unit) && readPart(unit, "encoding").tooltip !== undefined &&
      readMark(unit).opacity > 0;
    const at = units.findIndex(shown);
    if (at >= 0) {
      const param = name("turbine");
      choose(at, param, { type: "point", fields: [turbine] });
      choices.push({ param, chosen: shown });
    }
  }
  return [
    ...units.map((unit) =>
      mute(unit, choices.filter(({ chosen }) => chosen(unit)).map(({ param }) => param))
    ),
    ...readouts,
  ];
}

function makeView(view: Spec, facet: unknown, name: Namer): Spec {
  for (const key of ["vconcat", "hconcat"]) {
    const parts = view[key];
    if (Array.isArray(parts)) {
      return { ...view, [key]: parts.map((part) => makeView(part, undefined, name)) };
    }
  }
  if (isSpec(view.spec)) {
    return { ...view, spec: makeView(view.spec, readPart(view, "facet").field, name) };
  }
  if (!Array.isArray(view.layer)) return view;
  return { ...view, layer: makeLayers(view.layer, facet, name) };
}

/**
 * Adds what a reader can do without a kernel: a click on a legend shows an entry alone (with Shift several), dragging
 * over a time axis chooses a period and gives its mean, a click on a turbine of a fleet shows it alone. Before that the
 * picture is the same.
 */
export function makeInteractive(spec: ChartSpec): ChartSpec {
  let count = 0;
  return makeView({ ...spec }, undefined, (kind) => `${kind}${count++}`);
}
