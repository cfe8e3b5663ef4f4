import { storedColumns } from "./month_table.ts";
import type { StoredRow } from "./stored_row.ts";

/** A column of a table of every store. `json` is text that is only read as a whole. */
export interface StoredColumn {
  readonly name: string;
  readonly type: "text" | "json" | "integer" | "real";
  readonly nullable?: boolean;
  /** Table whose row it names by that one's key. */
  readonly references?: string;
}

/** A table of every store. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly StoredColumn[];
  /** Columns by which a row is found. */
  readonly key: readonly string[];
  /** Whether its rows are read in the order in which they were added, and not in that of their key. */
  readonly inOrder?: boolean;
  /** A column that no two rows have the same value of. */
  readonly unique?: string;
}

const turbine: StoredColumn = { name: "turbine_id", type: "text", references: "turbines" };

const months: readonly StoredColumn[] = storedColumns.map(({ name, dtype, notNull }) => ({
  name,
  type: dtype === "f64" ? "real" : dtype === "i32" ? "integer" : "text",
  nullable: !notNull,
}));

/** Gets rows of a table, a batch at a time; the next one comes when its promise is fulfilled. */
export type RowVisitor = (table: StoredTable, rows: readonly StoredRow[]) => Promise<void>;

/** Rows in a batch: records of turbines have 25 kB each. */
export const BATCH_ROWS = 1000;

/** Of the table `about` only this row says what is stored; the others are those of a kind of store. */
export const WORLD_ROW = "world";

/**
 * The tables that every store has, each after those that it names: what is moved from one store to another. A store may have
 * tables and columns of its own beside them, which follow from these.
 */
export const STORED_TABLES: readonly StoredTable[] = [
  {
    name: "about",
    key: ["name"],
    columns: [{ name: "name", type: "text" }, { name: "value", type: "text" }],
  },
  {
    name: "licences",
    key: ["serial_number"],
    columns: [
      { name: "serial_number", type: "text" },
      { name: "email", type: "text" },
      { name: "expires", type: "text", nullable: true },
      { name: "turbines", type: "json", nullable: true },
      { name: "datasets", type: "json", nullable: true },
    ],
  },
  {
    name: "api_keys",
    key: ["hash"],
    columns: [
      { name: "hash", type: "text" },
      { name: "serial_number", type: "text", references: "licences" },
      { name: "expires", type: "text", nullable: true },
      { name: "issued", type: "integer", nullable: true },
      { name: "way", type: "text", nullable: true },
    ],
  },
  {
    name: "sites",
    key: ["site"],
    columns: [
      { name: "site", type: "text" },
      { name: "fingerprint", type: "text" },
      { name: "site_file", type: "text", nullable: true },
      { name: "edition", type: "integer" },
    ],
  },
  {
    name: "datasets",
    key: ["id"],
    unique: "service_id",
    columns: [
      { name: "id", type: "integer" },
      { name: "service_id", type: "text" },
      { name: "record", type: "json" },
    ],
  },
  {
    name: "points",
    key: ["service_id", "latitude", "longitude", "site"],
    columns: [
      { name: "service_id", type: "text" },
      { name: "site", type: "text", references: "sites" },
      { name: "latitude", type: "real" },
      { name: "longitude", type: "real" },
      { name: "record", type: "json" },
    ],
  },
  {
    name: "turbines",
    key: ["turbine_id"],
    columns: [
      { name: "turbine_id", type: "text" },
      { name: "site", type: "text", references: "sites" },
      { name: "record", type: "json" },
    ],
  },
  {
    name: "calibrations",
    key: ["turbine_id", "revision"],
    columns: [turbine, { name: "revision", type: "integer" }, { name: "record", type: "json" }],
  },
  {
    name: "months",
    key: ["turbine_id", "year", "month", "revision"],
    columns: [turbine, ...months],
  },
  {
    name: "orders",
    key: ["id"],
    inOrder: true,
    unique: "token",
    columns: [
      { name: "id", type: "text" },
      { name: "serial_number", type: "text" },
      { name: "service_id", type: "text" },
      { name: "parameters", type: "json" },
      { name: "state", type: "text" },
      { name: "token", type: "text", nullable: true },
      { name: "file", type: "text", nullable: true },
      { name: "expires", type: "integer", nullable: true },
    ],
  },
];

/** A table by its name. */
export function findTable(name: string): StoredTable {
  return STORED_TABLES.find((table) => table.name === name)!;
}
