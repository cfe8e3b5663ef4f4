import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { turbineDetailsFrame } from "../../api/columns/turbine_columns.ts";
import { diverging, palette } from "../drawing/theme.ts";
import type { Spec } from "../parts/assemble.ts";
import { NO_DATA } from "../parts/month_state.ts";
import { clipText } from "../parts/text.ts";
import type { LonLat } from "./local_map.ts";
import type { MapFrame } from "./map_frame.ts";
import { places } from "./map_layers.ts";
import { buildFigureField, chooseFormat } from "../parts/lines.ts";

/** Distance below which turbines share a mark, pixels. */
const MARK_DISTANCE = 9;

/** Bounds of the classes around 100 %, 10 % apart. */
const BOUNDS = diverging.slice(1).map((_, i) => 100 + 10 * (i - (diverging.length - 2) / 2));

const [idColumn] = pickColumns(turbineDetailsFrame, ["turbine_id"]);

/** A turbine of the map. */
export interface FleetTurbine {
  readonly name: string;
  readonly place: LonLat;
  readonly value: number | null;
}

/** Turbines that share a mark. */
export interface Mark {
  readonly at: readonly [number, number];
  readonly members: readonly FleetTurbine[];
}

/** Groups turbines whose marks would overlap. */
export function groupIntoMarks(turbines: readonly FleetTurbine[], frame: MapFrame): Mark[] {
  const marks: { at: readonly [number, number]; members: FleetTurbine[] }[] = [];
  for (const turbine of turbines) {
    const [x, y] = frame.toPixels(frame.map.toPlane(turbine.place));
    const near = marks.find(({ at }) => Math.hypot(at[0] - x, at[1] - y) < MARK_DISTANCE);
    if (near) near.members.push(turbine);
    else marks.push({ at: [x, y], members: [turbine] });
  }
  return marks;
}

function computeMean(members: readonly FleetTurbine[]): number | null {
  const known = members.flatMap(({ value }) => value ?? []);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** Labels of the marks: the name of a turbine without the beginning that all names share, or the number of turbines. */
export function labelMarks(marks: readonly Mark[], shared: string): string[] {
  return marks.map(({ members }) =>
    members.length === 1
      ? clipText(members[0].name.slice(shared.length), 24)
      : `${members.length} turbines`
  );
}

/** Finds the words with which all names begin, such as "Kelmarsh ", as long as every name has more than these. */
export function findSharedBeginning(names: readonly string[]): string {
  const words = names[0].split(/(?<=[\s_-])/).slice(0, -1);
  const count = words.findIndex((_, i) => {
    const beginning = words.slice(0, i + 1).join("");
    return !names.every((name) => name.startsWith(beginning) && name !== beginning);
  });
  return words.slice(0, count === -1 ? words.length : count).join("");
}

/** Layers of the marks, coloured by the mean of the figures of their turbines. */
export function buildMarkLayers(marks: readonly Mark[], figure: Column, coloured: boolean): Spec[] {
  const rows = marks.map(({ at: [x, y], members }): Spec => ({
    x,
    y,
    size: 64 + 60 * Math.min(6, Math.log2(members.length)),
    value: computeMean(members),
    turbines: members.slice(0, 6).map(({ name }) => name).join(", ") +
      (members.length > 6 ? " …" : ""),
    what: NO_DATA,
  }));
  const tooltip = [
    { field: "turbines", title: idColumn.label, type: "nominal" },
    buildFigureField(
      "value",
      labelWithUnit(figure),
      chooseFormat(figure.unit, marks.map(({ members }) => computeMean(members))),
    ),
  ];
  const size = { field: "size", type: "quantitative", scale: null, legend: null };
  const point = { type: "point", filled: true, opacity: 1, stroke: palette.black, strokeWidth: 1 };
  if (!coloured) {
    return [{
      data: { values: rows },
      mark: { ...point, color: palette.vermilion },
      encoding: { ...places, size, tooltip: [tooltip[0]] },
    }];
  }
  const [known, unknown] = [(row: Spec) => row.value !== null, (row: Spec) => row.value === null]
    .map((wanted) => rows.filter(wanted));
  const colours = { type: "threshold", domain: BOUNDS, range: diverging };
  const legend = {
    direction: "horizontal",
    title: labelWithUnit(figure),
    labelOverlap: false,
    titleLimit: 400,
  };
  return [
    ...(known.length === 0 ? [] : [{
      data: { values: known },
      mark: point,
      encoding: {
        ...places,
        size,
        tooltip,
        color: { field: "value", type: "quantitative", scale: colours, legend },
      },
    }]),
    ...(unknown.length === 0 ? [] : [{
      data: { values: unknown },
      mark: { ...point, fill: palette.missing },
      encoding: {
        ...places,
        size,
        tooltip: [tooltip[0]],
        shape: {
          field: "what",
          type: "nominal",
          scale: { domain: [NO_DATA], range: ["diamond"] },
          legend: { symbolFillColor: palette.missing, symbolStrokeColor: palette.black },
        },
      },
    }]),
  ];
}
