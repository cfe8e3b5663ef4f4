import type { SiteData } from "../../src/sites/site_data.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { describeConstants, extrapolate, type ScaleConstants } from "./_scale_arithmetic.ts";
import { buildFleet, cutFleet } from "./_scale_fleet.ts";
import { type ImportUse, ScaleMachines } from "./_scale_machines.ts";

const GIGABYTE = 1e9;

/** Number of turbines for the constants, and for one worker against two. */
const TURBINES = 2000;

/** So few turbines that a server keeps all their records. */
const FEW = 100;

/** Sizes of the fleets for the slope. */
const FLEETS = [10, 100, 1000, 10_000];

/** The smallest fleet in the slope; smaller ones are less than a chunk or two. */
const SLOPE_FROM = 100;

/** Hours of a later month. */
const MONTH = 31 * 24;

/** Imports a fleet with a number of workers, on new machines. */
async function importFleet(fleet: SiteData, workers: number): Promise<ImportUse> {
  await using machines = await ScaleMachines.start(workers);
  return await machines.import(fleet);
}

/** Compares one worker with two. */
function compareWorkers(one: ImportUse, two: ImportUse): BenchmarkRow[] {
  const said = ({ computed, stored }: ImportUse) =>
    `${computed.toFixed(0)} s (stored: ${stored.toFixed(0)} s)`;
  const ratio = two.computed / one.computed;
  const memory = Math.max(one.memory, two.memory);
  return [
    {
      what: `${TURBINES} turbines x 20 years, one worker and two`,
      measured: `${said(one)}, ${said(two)}: x ${ratio.toFixed(2)}`,
      bound: "x 0.6 or less",
      holds: ratio <= 0.6,
    },
    {
      what: "highest memory of a worker",
      measured: `${(memory / GIGABYTE).toFixed(2)} GB`,
      bound: "under 1 GB",
      holds: memory < GIGABYTE,
    },
  ];
}

/** Measures the cost of a turbine and of an answer, extrapolates to a million turbines, and measures the gain by a second worker. */
async function measureFleet(): Promise<BenchmarkRow[]> {
  const fleet = buildFleet(TURBINES);
  const before = cutFleet(fleet, MONTH);
  const one = await importFleet(before, 1);
  await using machines = await ScaleMachines.start(2);
  const empty = await machines.measureBytes();
  const two = await machines.import(before);
  const stored = await machines.measureBytes();
  const month = await machines.import(fleet);
  const ids = fleet.turbines.map(({ turbine: { id } }) => id);
  const each = (value: number) => value / TURBINES;
  const constants: ScaleConstants = {
    firstCpu: each(two.cpu.workers + two.cpu.import),
    monthCpu: each(month.cpu.workers + month.cpu.import),
    postgresCpu: each(two.cpu.postgres),
    s3Cpu: each(two.cpu.s3),
    databaseBytes: each(stored.database - empty.database),
    modelBytes: each(stored.models),
    pointBytes: stored.points / fleet.reanalyses[0].climate.length,
    passingBytes: each(stored.passing),
    answer: await machines.measureAnswers(ids),
    keptAnswer: await machines.measureAnswers(ids.slice(0, FEW)),
  };
  return [
    ...compareWorkers(one, two),
    ...describeConstants(constants),
    ...extrapolate(constants),
  ];
}

/** Measures the time per turbine in fleets of all sizes, by two workers. */
async function measureSlope(): Promise<BenchmarkRow> {
  const each: number[] = [];
  for (const turbines of FLEETS) {
    each.push(1000 * (await importFleet(buildFleet(turbines), 2)).stored / turbines);
  }
  const growth = each.at(-1)! / each[FLEETS.indexOf(SLOPE_FROM)];
  return {
    what: `time per turbine in fleets of ${FLEETS.join(", ")}, two workers`,
    measured: `${each.map((time) => `${time.toFixed(0)} ms`).join(", ")} (x ${growth.toFixed(2)})`,
    bound: `x 1.2 or less from ${SLOPE_FROM} on`,
    holds: growth <= 1.2,
  };
}

/** Measures many machines, in an hour. */
export const scale = [measureFleet, measureSlope];
