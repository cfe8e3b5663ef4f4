import type { TablePreset } from "./preset.ts";

/** Hill of Towie (RES): a month of all turbines below each other in each file, stamps at the end of ten minutes. */
export const hillOfTowie: TablePreset = {
  files: /^tblSCTurGrid_.*\.csv$/i,
  columns: ["TimeStamp", "StationId", "wtc_ActPower_mean"],
  format: {
    column: "wtc_ActPower_mean",
    time: "TimeStamp",
    turbine: "StationId",
    resolution: "10min",
    unit: "kW",
    time_zone: "UTC",
    stamp: "end",
  },
};
