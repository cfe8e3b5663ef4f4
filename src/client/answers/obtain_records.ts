import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import type { ParameterValues } from "../../api/operations/request_path.ts";
import { describeFrame } from "../../frames/provenance.ts";
import { obtainWhole } from "../cache/obtain.ts";
import type { FrameOptions } from "../connection/default_connection.ts";
import { buildProvenance, buildRecordsFrame, makeOrEmpty, readJson } from "./read_answer.ts";

/** Unwraps a list from an object that has no other field. */
function unwrapList(json: unknown): unknown {
  const [only, ...more] = Object.values(Object(json));
  return Array.isArray(only) && !Array.isArray(json) && more.length === 0 ? only : json;
}

/**
 * Gets a list of records as a frame.
 *
 * @param readItem Makes a record of an item. @default the item is one
 */
export async function obtainRecords(
  id: OperationId,
  values: ParameterValues,
  columns: readonly Column[],
  options: FrameOptions,
  readItem: (item: unknown) => unknown = (item) => item,
): Promise<DataFrame> {
  return await makeOrEmpty(columns, options, async () => {
    const { facts, value } = await obtainWhole(id, values, options, (answer) => {
      const items = unwrapList(readJson(answer));
      const records = Array.isArray(items) ? items.map((item) => readItem(item)) : items;
      return buildRecordsFrame(answer, columns, records);
    });
    return describeFrame(value, columns, buildProvenance(facts, options));
  });
}
