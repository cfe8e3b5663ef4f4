import type { Spec } from "./assemble.ts";
import { palette } from "../drawing/theme.ts";

/** A state of a month or year, and its colour. */
export type StateColor = readonly [state: string, color: string];

/** Colour channel of states, with a legend of those that occur. */
export function buildStateColor(states: readonly StateColor[], legend: Spec): Spec {
  return {
    field: "state",
    type: "nominal",
    scale: { domain: states.map(([state]) => state), range: states.map(([, color]) => color) },
    legend,
  };
}

function buildFullHeight(x: Spec, height: number): Spec {
  return { x, y: { value: 0 }, y2: { value: height } };
}

/** A grey band over the full height of each month without a value. */
export function buildMissingBand(field: string, x: Spec, height: number): Spec {
  return {
    transform: [{ filter: { field, valid: false } }],
    mark: { type: "bar", color: palette.missing },
    encoding: buildFullHeight(x, height),
  };
}

/** A band over the full height of each row in one of the states, with a legend below; empty if no row is in one. */
export function buildStateBands(
  x: Spec,
  height: number,
  rows: readonly { readonly state: string }[],
  states: readonly StateColor[],
): Spec[] {
  const found = states.filter(([state]) => rows.some((row) => row.state === state));
  return found.length === 0 ? [] : [{
    transform: [{ filter: { field: "state", oneOf: found.map(([state]) => state) } }],
    mark: { type: "bar", opacity: 0.6 },
    encoding: {
      ...buildFullHeight(x, height),
      color: buildStateColor(found, { orient: "bottom", symbolType: "square" }),
    },
  }];
}

/** Invisible bars over the full height, so that every month or year has a tooltip. */
export function buildPointerBars(x: Spec, height: number, tooltip: readonly Spec[]): Spec {
  return {
    mark: { type: "bar", opacity: 0 },
    encoding: { ...buildFullHeight(x, height), tooltip },
  };
}
