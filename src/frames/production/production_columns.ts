import { month as monthColumn, time, turbineId } from "../../api/columns/columns.ts";
import { type Column, ownColumn } from "../../api/columns/column.ts";

const power = ownColumn("power", "f64", "Power", "Mean power produced in the hour.", "kW");

const energy = ownColumn("energy", "f64", "Energy", "Energy produced in the period.", "MWh");

const year = ownColumn("year", "i32", "Year", "Calendar year.");

/** Columns of the frames of {@linkcode readProduction}, by resolution. */
export const productionColumns: Readonly<
  Record<"10min" | "hour" | "month" | "year", readonly Column[]>
> = {
  "10min": [time, { ...power, description: "Mean power produced in the ten minutes." }],
  hour: [time, power],
  month: [monthColumn, energy],
  year: [year, energy],
};

/** Further columns that can be declared for a production file. */
export const productionExtras: {
  readonly turbine: Column;
  readonly status: Column;
  readonly availability: Column;
  readonly validHours: Column;
  readonly validShare: Column;
} = {
  turbine: turbineId,
  status: ownColumn(
    "status",
    "utf8",
    "Status",
    "Status of the turbine, in the words or codes of the file.",
  ),
  availability: {
    name: "availability",
    dtype: "f64",
    range: [0, 1],
    label: "Availability",
    description: "Share of the time in which the turbine could run, as the file states it.",
    tag: "ours",
  },
  validHours: {
    name: "valid_hours",
    dtype: "f64",
    unit: "h",
    range: [0, null],
    label: "Valid hours",
    description:
      "Hours of the month or year for which the energy is known, as the file states them.",
    tag: "ours",
  },
  validShare: {
    name: "valid_share",
    dtype: "f64",
    range: [0, 1],
    label: "Valid share",
    description: "Share of the hour whose steps have a valid power.",
    tag: "ours",
  },
};
