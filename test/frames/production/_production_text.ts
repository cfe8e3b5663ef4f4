import type { DataFrame } from "nodejs-polars";
import { buildFileSource } from "../../../src/frames/origin/file_origin.ts";
import { convertReadings } from "../../../src/frames/production/convert_readings.ts";
import {
  OPERATION,
  type ProductionFormat,
  readTextRows,
} from "../../../src/frames/production/production.ts";
import { assertFormat } from "../../../src/frames/production/production_rules.ts";
import { listFrameColumns } from "../../../src/frames/production/production_table.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";

/** Reads production from the bytes of one delimited text, as `readProduction()` does from its file. */
export function parseProductionText(
  bytes: Uint8Array,
  file: string,
  how: ProductionFormat,
): DataFrame {
  assertFormat(file, how);
  const rows = readTextRows(bytes, file, how, false);
  const { frame } = convertReadings(rows.frame, how, (row) => ({ file, at: rows.place(row) }));
  const source = buildFileSource(file, bytes, OPERATION);
  return describeFrame(frame, listFrameColumns(how), source, rows.notes);
}
