/**
 * The columns of all answers and of the frames made from them, as lists; each is declared in the file of its kind.
 *
 * @module
 */
export { coverageList, datasetList } from "./dataset_columns.ts";
export { modelDataCsv, modelDataFrame, time, zoneColumns } from "./model_columns.ts";
export {
  figures,
  month,
  monthlyIndicesFrame,
  monthRecord,
  monthState,
  predictedInterval,
  windIndicesCsv,
  windIndicesFrame,
} from "./month_columns.ts";
export { reportMonthList, reportTurbineList } from "./report_columns.ts";
export { turbineId, turbineList } from "./turbine_columns.ts";
