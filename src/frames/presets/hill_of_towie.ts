import type { TablePreset } from "./preset.ts";

/** Hill of Towie (RES): a month of all turbines below each other in each file, stamps at the end of ten minutes; counters of states. */
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
  events: {
    files: /^tblSCTurFlag_.*\.csv$/i,
    time: "TimeStamp",
    turbine: "StationId",
    step: 600_000,
    columns: {
      environment_stop: "wtc_ScEnvSto_timeon",
      commanded_stop: "wtc_ScComSto_timeon",
      turbine_stop: "wtc_ScTurSto_timeon",
      grid_stop: "wtc_ScGrdSto_timeon",
      ready_to_operate: "wtc_ScReToOp_timeon",
      wind_in_range: "wtc_ScWindIR_timeon",
    },
  },
};
