import type { Spec } from "./assemble.ts";
import { palette } from "../drawing/theme.ts";

/** A state of a month or year, and its colour. */
export type StateColor = readonly [state: string, color: string];

/** Colour channel of states, with a legend of those that occur. */
export function stateColor(states: readonly StateColor[], legend: Spec): Spec {
  return {
    field: "state",
    type: "nominal",
    scale: { domain: states.map(([state]) => state), range: states.map(([, color]) => color) },
    legend,
  };
}

function fullHeight(x: Spec, height: number): Spec {
  return { x, y: { value: 0 }, y2: { value: height } };
}

/** A band over the full height at each month that misses a value. */
export function missingBand(field: string, x: Spec, height: number): Spec {
  return {
    transform: [{ filter: { field, valid: false } }],
    mark: { type: "bar", color: palette.missing },
    encoding: fullHeight(x, height),
  };
}

/** A band over the full height at each row in one of the states, named in a legend below; nothing where none is. */
export function stateBands(
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
      ...fullHeight(x, height),
      color: stateColor(found, { orient: "bottom", symbolType: "square" }),
    },
  }];
}

/** Unseen bars over the full height, so that the pointer finds every month or year. */
export function pointerBars(x: Spec, height: number, tooltip: readonly Spec[]): Spec {
  return { mark: { type: "bar", opacity: 0 }, encoding: { ...fullHeight(x, height), tooltip } };
}
