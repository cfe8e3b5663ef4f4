import { pickColumns, wireName } from "../../api/columns/column.ts";
import { turbineId, windIndicesCsv } from "../../api/columns/columns.ts";
import { KEY_HEADER, operationOf } from "../../api/operations/operations.ts";
import { turbineDetailsFields } from "../../api/columns/turbine_columns.ts";
import { turbineParameter } from "../../api/operations/wind_index.ts";
import { ATTRIBUTION_HEADER, SYNTHETIC, type World, WORLD_HEADER } from "../../api/world.ts";
import type { StoredMonth } from "../../sites/keep/site_record.ts";

const OPERATIONS = ["turbines", "turbine_details", "wind_indices"] as const;

/** Fields of turbine details that it reads. */
const DETAILS = [
  "name",
  "latitude",
  "longitude",
  "hub_height",
  "rated_power",
  "time_zone",
  "data_ready",
] as const;

const MONTHS = [
  "year",
  "month",
  "month_index",
  "month_abnormality_index",
  "last12_month_index",
  "predicted_production",
  "predicted_production_low",
  "predicted_production_high",
  "status",
] as const;

/** A column as the page reads and shows it. */
export interface StartColumn {
  readonly wire: string;
  readonly label: string;
  /** Unit; empty where there is none. */
  readonly unit: string;
  readonly description: string;
}

function pickStartColumns<Name extends string>(
  columns: Parameters<typeof pickColumns>[0],
  names: readonly Name[],
): Record<Name, StartColumn> {
  return Object.fromEntries(
    pickColumns(columns, names).map((column) => [column.name, {
      wire: wireName(column),
      label: column.label,
      unit: column.unit ?? "",
      description: column.description,
    }]),
  ) as Record<Name, StartColumn>;
}

/**
 * Builds the part of the API that the start page uses from the contract.
 *
 * @param prefix Prefix of each path in a browser
 * @throws {Error} If the contract lacks a column that the page reads
 */
export function buildStartContract(prefix: string) {
  const operations = OPERATIONS.map((id) => {
    const { path, errors } = operationOf(id);
    const meanings = errors.map(({ status, meaning }) => [status, meaning] as const);
    return [id, { path: prefix + path, meanings: Object.fromEntries(meanings) }] as const;
  });
  const sample: World = "sample";
  const preliminary: StoredMonth["status"] = "preliminary";
  return {
    keyHeader: KEY_HEADER,
    worldHeader: WORLD_HEADER,
    /** Value of that header where figures are invented. */
    sample,
    synthetic: SYNTHETIC,
    attributionHeader: ATTRIBUTION_HEADER,
    /** The operations it calls: paths with their parameters in braces, and what error statuses mean. */
    operations: Object.fromEntries(operations) as Record<
      typeof OPERATIONS[number],
      typeof operations[number][1]
    >,
    turbineParameter: turbineParameter.name,
    turbineId: wireName(turbineId),
    details: pickStartColumns(turbineDetailsFields, DETAILS),
    months: pickStartColumns(windIndicesCsv, MONTHS),
    /** Status of a month whose figures may still be replaced. */
    preliminary,
  };
}

/** The part of the API that the start page uses. */
export type StartContract = ReturnType<typeof buildStartContract>;
