import type { TablePreset } from "./preset.ts";

const preamble = { turbine: "Turbine", timeZone: "Time zone" } as const;

/** Exports of Greenbyte: a turbine and a year each file, ten minutes, columns that differ by year. */
export const greenbyte: TablePreset = {
  files: /^Turbine_Data_.*\.csv$/i,
  columns: ["# Date and time", "Power (kW)"],
  format: {
    column: "Power (kW)",
    time: "# Date and time",
    resolution: "10min",
    unit: "kW",
    stamp: "start",
  },
  preamble,
  repeats: true,
  events: {
    files: /^Status_.*\.csv$/i,
    preamble,
    columns: {
      from: "Timestamp start",
      to: "Timestamp end",
      duration: "Duration",
      status: "Status",
      code: "Code",
      text: "Message",
      category: "IEC category",
    },
    instants: ["Informational"],
  },
};
