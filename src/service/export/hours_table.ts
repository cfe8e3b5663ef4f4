import pl, { type DataFrame } from "nodejs-polars";
import { modelDataCsv, modelDataFrame, time, turbineId } from "../../api/columns/columns.ts";
import { parquetToFrame } from "../files/series.ts";
import { type ExportTable, PARTITION } from "./export_table.ts";

/** The rows of one turbine: its model as stored, with the decimals that model_data serves. */
function readHours(model: Uint8Array, id: string): DataFrame {
  return parquetToFrame(model).select(
    pl.lit(id).alias(turbineId.name),
    pl.col(time.name),
    ...modelDataCsv.filter(({ name }) => name !== time.name)
      .map(({ name, decimals = 3 }) => pl.col(name).round(decimals)),
    pl.col(time.name).dt.year().alias(PARTITION),
  );
}

/** The hours of the model of each turbine that is calibrated, by their years in UTC. */
export const hoursTable: ExportTable = {
  name: "hours",
  columns: modelDataFrame,
  groupSize: 500, // a year of them is some 75 MB
  batchSize: 4, // 80 years of them are some 3 million rows
  async read({ files }, turbines) {
    const frames: DataFrame[] = [];
    for (const { turbine: { id }, modelFile } of turbines) {
      if (modelFile !== null) frames.push(readHours(await files.read(modelFile), id));
    }
    return frames.length > 0 ? pl.concat(frames) : pl.DataFrame();
  },
};
