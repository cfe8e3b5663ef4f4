import type { ClimatePoint } from "../../windindex/climate/climate.ts";
import { ENGINE_VERSION } from "../../windindex/power_model.ts";
import type { EarlierCalibration } from "../calibration/compute_turbine.ts";
import type { Neighbourhood } from "../production/neighbour_production.ts";
import { selectPoints } from "../calibration/select_points.ts";
import type { SiteData } from "../site_data.ts";

/** Limits of a chunk, unless a single turbine exceeds them. */
export interface ChunkLimits {
  /** Most turbines to compute. */
  readonly turbines: number;
  /** Most bytes of climate and production. */
  readonly bytes: number;
}

/** Default limits: a chunk takes minutes and less than 1 GB of memory. */
const LIMITS: ChunkLimits = { turbines: 50, bytes: 128 * 2 ** 20 };

/**
 * Turbines of a site that are computed together, with their inputs: the climate points around them, and their
 * neighbours. It is plain data, so another process can compute it.
 */
export interface SiteChunk {
  readonly engine: string;
  /** The reanalyses of the site, with the points around the turbines. */
  readonly reanalyses: SiteData["reanalyses"];
  /** The turbines and their neighbours, in the order of the site. */
  readonly turbines: SiteData["turbines"];
  /** The earlier calibrations of the turbines to compute, by position in the chunk. */
  readonly earlier: ReadonlyMap<number, EarlierCalibration>;
}

/** Inputs of a turbine, by position in the site. */
interface Needs {
  readonly position: number;
  readonly points: readonly (readonly ClimatePoint[])[];
  /** The turbine itself and its neighbours. */
  readonly turbines: readonly number[];
}

function listArrays(value: unknown): ArrayBufferView[] {
  if (ArrayBuffer.isView(value)) return [value];
  return typeof value === "object" && value !== null
    ? Object.values(value).flatMap(listArrays)
    : [];
}

/** Orders turbines by climate cell, row by row, so those of a chunk are close together. */
function compareCells({ points: [[a]] }: Needs, { points: [[b]] }: Needs): number {
  return a.latitude - b.latitude || a.longitude - b.longitude;
}

function groupTurbines(data: SiteData, all: readonly Needs[], limits: ChunkLimits): Needs[][] {
  const groups: Needs[][] = [];
  let arrays = new Set<ArrayBufferView>();
  let bytes = 0;
  for (const needs of all) {
    const needed = new Set(listArrays([
      needs.points,
      needs.turbines.map((position) => data.turbines[position].production),
    ]));
    const sum = (added: ReadonlySet<ArrayBufferView>) =>
      [...added].reduce((total, { byteLength }) => total + byteLength, 0);
    const more = sum(needed.difference(arrays));
    const group = groups.at(-1);
    if (group && group.length < limits.turbines && bytes + more <= limits.bytes) {
      group.push(needs);
      arrays = arrays.union(needed);
      bytes += more;
    } else {
      groups.push([needs]);
      arrays = needed;
      bytes = sum(needed);
    }
  }
  return groups;
}

/**
 * Splits the turbines to compute into chunks, in the order of their climate cells.
 *
 * @param earlier The earlier calibrations of the turbines to compute, by position
 * @throws {ArgumentError} If climate points do not surround a turbine
 */
export function splitSite(
  data: SiteData,
  neighbours: Neighbourhood,
  earlier: ReadonlyMap<number, EarlierCalibration>,
  limits: ChunkLimits = LIMITS,
): SiteChunk[] {
  const all = [...earlier.keys()].map((position): Needs => ({
    position,
    points: data.reanalyses.map((one) => selectPoints(one, data.turbines[position].turbine)),
    turbines: [position, ...neighbours.listNearest(position)],
  }));
  return groupTurbines(data, all.sort(compareCells), limits).map((group) => {
    const points = new Set(group.flatMap((needs) => needs.points.flat()));
    const needed = new Set(group.flatMap((needs) => needs.turbines));
    const positions = [...needed].sort((a, b) => a - b);
    const computed = group.map(({ position }) => position).sort((a, b) => a - b);
    return {
      engine: ENGINE_VERSION,
      reanalyses: data.reanalyses.map((one) => ({
        ...one,
        climate: one.climate.filter((point) => points.has(point)),
      })),
      turbines: positions.map((position) => data.turbines[position]),
      earlier: new Map(
        computed.map((position) => [positions.indexOf(position), earlier.get(position)!]),
      ),
    };
  });
}
