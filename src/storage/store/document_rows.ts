import type { Kind } from "./document_cache.ts";
import type { Engine, StoredRow, StoredValue } from "./engine.ts";

/** Most values in a statement, and most characters of contents written by one. */
const [MAX_VALUES, MAX_BODY] = [500, 4_000_000];

/** Selects documents of a kind that match all given labels, ordered by identifier. */
export interface Selection {
  readonly ids?: readonly string[];
  readonly owner?: string;
  readonly states?: readonly string[];
  readonly search?: readonly string[];
  /** Identifiers after this one. */
  readonly after?: string;
  readonly limit?: number;
}

/** Splits values into parts, padded with the last value to powers of two, so a database prepares few forms of statements. */
export function* splitValues(values: readonly string[]): Generator<readonly string[]> {
  for (let i = 0; i < values.length; i += MAX_VALUES) {
    const part = values.slice(i, i + MAX_VALUES);
    const length = 2 ** Math.ceil(Math.log2(part.length));
    yield [...part, ...Array<string>(length - part.length).fill(part[part.length - 1])];
  }
}

/** Selects rows of documents, joined with columns of another table. */
export async function selectRows(
  engine: Engine,
  kind: Kind,
  { ids, owner, states, search, after, limit }: Selection,
  columns: string,
  join: string,
): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  const list = ids ?? search;
  for (const part of list ? splitValues([...new Set(list)]) : [[]]) {
    const values: StoredValue[] = [kind];
    const mark = (value: StoredValue) => `$${values.push(value)}`;
    const among = (name: string, wanted: readonly string[]) =>
      `d.${name} IN (${wanted.map(mark).join(", ")})`;
    const conditions = [
      "d.kind = $1",
      ...part.length > 0 ? [among(ids ? "id" : "search", part)] : [],
      ...owner === undefined ? [] : [`d.owner = ${mark(owner)}`],
      ...states ? [among("state", states)] : [],
      ...after === undefined ? [] : [`d.id > ${mark(after)}`],
    ];
    const { schema } = engine;
    const table = limit === undefined ? `${schema}documents AS d` : `(
      SELECT * FROM ${schema}documents AS d WHERE ${conditions.join(" AND ")}
      ORDER BY id LIMIT ${mark(limit)}
    ) AS d`;
    rows.push(
      ...await engine.all(
        `SELECT d.*${columns} FROM ${table} ${join}
         ${limit === undefined ? `WHERE ${conditions.join(" AND ")}` : ""} ORDER BY d.id`,
        ...values,
      ),
    );
  }
  return rows;
}

/** Inserts or replaces rows by key, as many per statement as its limits allow. */
export async function insertRows(
  engine: Engine,
  table: string,
  key: readonly string[],
  others: readonly string[],
  rows: readonly (readonly StoredValue[])[],
): Promise<void> {
  const columns = [...key, ...others];
  for (let i = 0; i < rows.length;) {
    let [end, size] = [i, 0];
    do size += rows[end++].reduce<number>((sum, one) => sum + String(one).length, 0); while (
      end < rows.length && size < MAX_BODY && (end - i + 1) * columns.length <= MAX_VALUES
    );
    const values = rows.slice(i, end).map((_, k) =>
      `(${columns.map((_, j) => `$${k * columns.length + j + 1}`).join(", ")})`
    );
    await engine.run(
      `INSERT INTO ${engine.schema}${table} (${columns.join(", ")})
       VALUES ${values.join(", ")} ON CONFLICT (${key.join(", ")}) DO UPDATE SET ` +
        others.map((name) => `${name} = excluded.${name}`).join(", "),
      ...rows.slice(i, end).flat(),
    );
    i = end;
  }
}
