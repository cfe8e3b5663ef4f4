import { type Column, labelWithUnit, pickColumns } from "../../api/columns/column.ts";
import { turbineDetailsFrame } from "../../api/columns/turbine_columns.ts";
import { mean } from "../../stats/spread.ts";
import { diverging, palette } from "../drawing/theme.ts";
import {
  buildFigureField,
  chooseFormat,
  mark,
  pixels,
  quantity,
  type Spec,
} from "../grammar/marks.ts";
import { listIndexBounds, NO_DATA } from "../grammar/rows.ts";
import { clipText } from "../grammar/text.ts";
import type { LonLat } from "./local_map.ts";
import type { MapFrame } from "./map_frame.ts";

/** Distance below which turbines share a mark, pixels. */
const MARK_DISTANCE = 9;

/** Bounds of the classes around 100 %, 10 % apart. */
const BOUNDS = listIndexBounds(10);

const [idColumn] = pickColumns(turbineDetailsFrame, ["turbine_id"]);

/** A turbine of the map. */
export interface FleetTurbine {
  readonly id: string;
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
  return known.length === 0 ? null : mean(known);
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

/** Size of the mark of one turbine, px2; as a link it is larger, for a finger. */
const SIZES = { mark: 64, link: 150 };

/**
 * Layers of the marks, coloured by the mean of the figures of their turbines.
 *
 * @param link Address to which the mark of some turbines leads
 */
export function buildMarks(
  marks: readonly Mark[],
  figure: Column,
  coloured: boolean,
  link?: (turbines: readonly string[]) => string,
): Spec[] {
  const rows = marks.map(({ at: [x, y], members }): Spec => ({
    x,
    y,
    ...(link ? { href: link(members.map(({ id }) => id)) } : {}),
    size: (link ? SIZES.link : SIZES.mark) + 60 * Math.min(6, Math.log2(members.length)),
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
  const point = (data: readonly Spec[], look: Spec) =>
    data.length === 0 ? [] : [mark("point", {
      data,
      ...pixels,
      size: { field: "size", type: "quantitative", scale: null, legend: null },
      filled: true,
      opacity: 1,
      stroke: palette.black,
      strokeWidth: 1,
      tooltip: [tooltip[0]],
      ...(link ? { href: { field: "href", type: "nominal" } } : {}),
      ...look,
    })];
  if (!coloured) return point(rows, { color: palette.vermilion });
  const classes = { type: "threshold", domain: BOUNDS, range: diverging };
  const legend = {
    direction: "horizontal",
    title: labelWithUnit(figure),
    labelOverlap: false,
    titleLimit: 400,
  };
  return [
    ...point(rows.filter(({ value }) => value !== null), {
      color: { ...quantity("value", classes), legend },
      tooltip,
    }),
    ...point(rows.filter(({ value }) => value === null), {
      fill: palette.missing,
      shape: {
        field: "what",
        type: "nominal",
        scale: { domain: [NO_DATA], range: ["diamond"] },
        legend: { symbolFillColor: palette.missing, symbolStrokeColor: palette.black },
      },
    }),
  ];
}
