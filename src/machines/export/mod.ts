/**
 * The part of the exports that other folders may import.
 *
 * @module
 */
export { exportParquet } from "./export_parquet.ts";
export { EXPORT_NAMES, isExportName } from "./export_tables.ts";
