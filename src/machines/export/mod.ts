/**
 * What other folders may import of the exports.
 *
 * @module
 */
export { exportParquet } from "./export_parquet.ts";
export { EXPORT_NAMES, isExportName } from "./export_tables.ts";
