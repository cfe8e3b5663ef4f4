import pl from "nodejs-polars";
import { modelDataCsv, modelDataFrame, time, turbineId } from "../../api/columns/columns.ts";
import { type ExportTable, PARTITION } from "./export_table.ts";

/** The hours of the model of each turbine that is calibrated, by their years in UTC. */
export const hoursTable: ExportTable = {
  name: "hours",
  columns: modelDataFrame,
  groupSize: 500, // a year of them is some 60 MB
  batchSize: 1,
  isFixed: true,
  async read({ files }, [{ turbine: { id }, modelFile }], scratch) {
    if (modelFile === null) return undefined;
    await Deno.writeFile(scratch, await files.read(modelFile));
    return pl.scanParquet(scratch).select(
      pl.lit(id).alias(turbineId.name),
      pl.col(time.name),
      // With the decimals that model_data serves: the others say nothing, and take most of the room.
      ...modelDataCsv.filter(({ name }) => name !== time.name)
        .map(({ name, decimals = 3 }) => pl.col(name).round(decimals)),
      pl.col(time.name).dt.year().alias(PARTITION),
    );
  },
};
