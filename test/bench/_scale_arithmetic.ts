import type { BenchmarkRow } from "./_measured.ts";
import type { AnswerUse } from "./_scale_machines.ts";

/** Measured costs of a turbine with twenty years of climate, and of an answer. */
export interface ScaleConstants {
  /** Processor time of a first import (workers and the import itself), s. */
  readonly firstCpu: number;
  /** Processor time of a later month, s. */
  readonly monthCpu: number;
  /** Processor time of PostgreSQL in a first import, s. */
  readonly postgresCpu: number;
  /** Processor time of the S3 server in a first import, s. */
  readonly s3Cpu: number;
  /** Rows and indices in PostgreSQL, bytes. */
  readonly databaseBytes: number;
  /** The hourly model, bytes. */
  readonly modelBytes: number;
  /** Climate of a grid point, bytes. */
  readonly pointBytes: number;
  /** Input and output of chunks, removed after a day, bytes. */
  readonly passingBytes: number;
  /** An answer with a month of a turbine that the server must read first. */
  readonly answer: AnswerUse;
  /** An answer for a turbine that the server has in memory. */
  readonly keptAnswer: AnswerUse;
}

/** Years of climate in the measurement. */
const MEASURED_YEARS = 20;

/** The size to extrapolate to. */
const WORLD = { turbines: 1e6, years: 80, readers: 10_000, turbinesAPoint: 50 };

const HOURS_A_YEAR = 8766;

function buildRow(bound: string): (what: string, measured: string) => BenchmarkRow {
  return (what, measured) => ({ what, measured, bound, holds: true });
}

/** The constants in words. */
export function describeConstants(constants: ScaleConstants): BenchmarkRow[] {
  const row = buildRow("no bound: measured");
  const seconds = (value: number) => `${value.toFixed(3)} s`;
  const kilobytes = (bytes: number) => `${(bytes / 1e3).toFixed(0)} kB`;
  const micro = (value: number) => `${(value * 1e6).toFixed(0)} us`;
  const answer = ({ server, postgres }: AnswerUse) => `${micro(server)}, ${micro(postgres)}`;
  return [
    row("processor time per turbine x 20 years, first import", seconds(constants.firstCpu)),
    row("processor time per turbine, an import a month later", seconds(constants.monthCpu)),
    row(
      "processor time of PostgreSQL and S3 server, first import",
      `${seconds(constants.postgresCpu)}, ${seconds(constants.s3Cpu)}`,
    ),
    row("rows and indices of a turbine in PostgreSQL", kilobytes(constants.databaseBytes)),
    row("hourly model of a turbine", kilobytes(constants.modelBytes)),
    row("chunks per turbine, kept for a day", kilobytes(constants.passingBytes)),
    row("climate of a grid point", kilobytes(constants.pointBytes)),
    row("processor time of an answer with a month: server, PostgreSQL", answer(constants.answer)),
    row("the same for a turbine that the server has read before", answer(constants.keptAnswer)),
  ];
}

/** Extrapolates to a million turbines, in proportion to turbines, years and answers. */
export function extrapolate(constants: ScaleConstants): BenchmarkRow[] {
  const row = buildRow("no bound: extrapolated");
  const { turbines, years, readers, turbinesAPoint } = WORLD;
  const all = turbines * years / MEASURED_YEARS;
  const coreHours = (seconds: number) => `${Math.round(seconds / 3600).toLocaleString("en")} h`;
  const terabytes = (bytes: number) => `${(bytes / 1e12).toFixed(1)} TB`;
  const billions = (count: number) => `${(count / 1e9).toFixed(1)} billion`;
  const ofAll = `${turbines.toLocaleString("en")} turbines x ${years} years:`;
  return [
    row(
      `${ofAll} months in PostgreSQL`,
      `${billions(turbines * years * 12)}, ${terabytes(all * constants.databaseBytes)}`,
    ),
    row(
      `${ofAll} hours in as many objects`,
      `${billions(turbines * years * HOURS_A_YEAR)}, ${terabytes(all * constants.modelBytes)}`,
    ),
    row(`${ofAll} climate`, terabytes(all / turbinesAPoint * constants.pointBytes)),
    row(`${ofAll} first import, core hours`, coreHours(all * constants.firstCpu)),
    row(`${ofAll} first import, core hours of PostgreSQL`, coreHours(all * constants.postgresCpu)),
    row(`${ofAll} each month, core hours`, coreHours(all * constants.monthCpu)),
    row(
      `${readers.toLocaleString("en")} answers per second: servers, PostgreSQL`,
      [constants.answer.server, constants.answer.postgres]
        .map((cpu) => `${(readers * cpu).toFixed(1)} cores`).join(", "),
    ),
  ];
}
