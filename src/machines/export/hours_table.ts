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
      ...modelDataCsv.map(({ name }) => pl.col(name)),
      pl.col(time.name).dt.year().alias(PARTITION),
    );
  },
};
