import type { Kind } from "./document_cache.ts";
import type { Engine, StoredRow, StoredValue } from "./engine.ts";

/** Most values in a statement, and characters of contents that are written or read by one. */
const [MAX_VALUES, MAX_BODY] = [500, 4_000_000];

/** Documents of a kind that have all of these labels, by identifier. */
export interface Selection {
  readonly ids?: readonly string[];
  readonly owner?: string;
  readonly states?: readonly string[];
  readonly search?: readonly string[];
  /** Identifiers after this one. */
  readonly after?: string;
  readonly limit?: number;
}

/** Splits a list of values, the last of each part repeated: statements then have few forms, which a database plans once. */
export function* splitValues(values: readonly string[]): Generator<readonly string[]> {
  for (let i = 0; i < values.length; i += MAX_VALUES) {
    const own = values.slice(i, i + MAX_VALUES);
    const length = 2 ** Math.ceil(Math.log2(own.length));
    yield [...own, ...Array<string>(length - own.length).fill(own[own.length - 1])];
  }
}

/** Rows of documents with some columns of another table. */
export async function selectRows(
  engine: Engine,
  kind: Kind,
  { ids, owner, states, search, after, limit }: Selection,
  columns: string,
  join: string,
): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  const list = ids ?? search;
  for (const some of list ? splitValues([...new Set(list)]) : [[]]) {
    const values: StoredValue[] = [kind];
    const mark = (value: StoredValue) => `$${values.push(value)}`;
    const among = (name: string, own: readonly string[]) =>
      `d.${name} IN (${own.map(mark).join(", ")})`;
    const conditions = [
      "d.kind = $1",
      ...some.length > 0 ? [among(ids ? "id" : "search", some)] : [],
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

/** Inserts rows, each in place of the one that has its key, as many at once as a statement takes. */
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
