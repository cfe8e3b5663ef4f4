import type { TablePreset } from "./preset.ts";

/** Open data of EDP: ten minutes of all turbines below each other, a workbook or CSV. */
export const edp: TablePreset = {
  files: /(?:scada|signals).*\.(?:xlsx|csv)$/i,
  columns: ["Turbine_ID", "Timestamp", "Grd_Prod_Pwr_Avg"],
  format: {
    column: "Grd_Prod_Pwr_Avg",
    time: "Timestamp",
    turbine: "Turbine_ID",
    resolution: "10min",
    unit: "kW",
  },
  assumed: [
    'The file does not say which end of its ten minutes a stamp names; the start is assumed (else give stamp: "end")',
  ],
};
