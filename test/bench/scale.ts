import type { BenchmarkRow } from "./_measured.ts";
import { describeConstants, extrapolate, type ScaleConstants } from "./_scale_arithmetic.ts";
import { buildFleet, cutFleet } from "./_scale_fleet.ts";
import { type ImportUse, ScaleMachines } from "./_scale_machines.ts";

const GIGABYTE = 1e9;

/** Turbines that one worker computes, and two. */
const SHARED_FLEET = 2000;

/** Fleets of the slope. */
const FLEETS = [10, 100, 1000, 10_000];

/** The first of them whose turbines are not less than a chunk or two. */
const SLOPE_FROM = 100;

/** Turbines of which the constants are taken. */
const CONSTANTS_FLEET = 500;

/** Hours of a month that comes later. */
const MONTH = 31 * 24;

/** Imports a fleet by as many workers, with all new machines. */
async function importFleet(turbines: number, workers: number): Promise<ImportUse> {
  await using machines = await ScaleMachines.start(workers);
  return await machines.import(buildFleet(turbines));
}

/** One worker against two. */
async function compareWorkers(): Promise<BenchmarkRow[]> {
  const one = await importFleet(SHARED_FLEET, 1);
  const two = await importFleet(SHARED_FLEET, 2);
  const said = ({ computed, stored }: ImportUse) =>
    `${computed.toFixed(0)} s (stored: ${stored.toFixed(0)} s)`;
  const ratio = two.computed / one.computed;
  const memory = Math.max(one.memory, two.memory);
  return [
    {
      what: `${SHARED_FLEET} turbines x 20 years, one worker and two`,
      found: `${said(one)}, ${said(two)}: x ${ratio.toFixed(2)}`,
      bound: "x 0.6 or less",
      holds: ratio <= 0.6,
    },
    {
      what: "highest memory of a worker in it",
      found: `${(memory / GIGABYTE).toFixed(2)} GB`,
      bound: "under 1 GB",
      holds: memory < GIGABYTE,
    },
  ];
}

/** Time a turbine takes in fleets of all sizes, by two workers. */
async function measureSlope(): Promise<BenchmarkRow> {
  const each: number[] = [];
  for (const turbines of FLEETS) {
    each.push(1000 * (await importFleet(turbines, 2)).stored / turbines);
  }
  const growth = each.at(-1)! / each[FLEETS.indexOf(SLOPE_FROM)];
  return {
    what: `a turbine in fleets of ${FLEETS.join(", ")}, two workers`,
    found: `${each.map((time) => `${time.toFixed(0)} ms`).join(", ")} (x ${growth.toFixed(2)})`,
    bound: `x 1.2 or less from ${SLOPE_FROM} on`,
    holds: growth <= 1.2,
  };
}

/** What a turbine costs, and an answer, and what a million of them would. */
async function measureConstants(): Promise<BenchmarkRow[]> {
  const fleet = buildFleet(CONSTANTS_FLEET);
  await using machines = await ScaleMachines.start(2);
  const empty = await machines.measureBytes();
  const first = await machines.import(cutFleet(fleet, MONTH));
  const stored = await machines.measureBytes();
  const month = await machines.import(fleet);
  const answer = await machines.measureAnswers(fleet.turbines.map(({ turbine: { id } }) => id));
  const each = (value: number) => value / CONSTANTS_FLEET;
  const constants: ScaleConstants = {
    firstCpu: each(first.cpu.workers + first.cpu.import),
    monthCpu: each(month.cpu.workers + month.cpu.import),
    postgresCpu: each(first.cpu.postgres),
    s3Cpu: each(first.cpu.s3),
    databaseBytes: each(stored.database - empty.database),
    modelBytes: each(stored.models),
    pointBytes: stored.points / fleet.reanalyses[0].climate.length,
    passingBytes: each(stored.passing),
    answerCpu: answer.server,
    answerPostgresCpu: answer.postgres,
  };
  return [...describeConstants(constants), ...extrapolate(constants)];
}

/** What many machines take: what a million turbines would be, two workers against one, and how it grows. Takes an hour. */
export const scale = [measureConstants, compareWorkers, measureSlope];
