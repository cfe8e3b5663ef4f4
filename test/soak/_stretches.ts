/**
 * Valid files larger than any real one: wide, long or sparse, made from a valid file by a seed. They are small enough
 * to read in a moment; `extremes` has the files at the limits.
 *
 * @module
 */
import { gunzipSync, gzipSync, strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import pl from "nodejs-polars";
import { formatCellName } from "../../src/frames/cells/sheet_cells.ts";
import { type Mutate, pick, type Random } from "./_mutations.ts";

/** Most cells of a stretched table. */
const CELLS = 300_000;

/** Most bytes of a stretched table. */
const BYTES = 4_000_000;

const STAMP = /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?/;

/** Splits a text into lines, its delimiter, and the first row: the first line with a time. */
function splitTable(bytes: Uint8Array) {
  const lines = strFromU8(bytes).split("\n");
  const first = Math.max(1, lines.findIndex((line) => /^\S*\d{4}-?\d\d|^\d\d[.]\d\d/.test(line)));
  const mark = [",", ";", "\t"].find((one) => lines[first]?.includes(one)) ?? ",";
  return { lines, mark, first };
}

/** Adds few or very many columns, filled or empty, and removes rows if there are too many cells. */
const widenTable: Mutate = (bytes, random) => {
  const { lines, mark, first } = splitTable(bytes);
  const columns = pick([30, 1000, 19_000, 21_000], random);
  const value = pick(["", "0", "1.5", "x"], random);
  const names = Array.from({ length: columns }, (_, i) => `extra ${i}`).join(mark);
  const values = Array(columns).fill(value).join(mark);
  const rows = lines.slice(first).filter((line) => line.trim() !== "")
    .slice(0, Math.max(2, CELLS / columns));
  const head = lines.slice(0, first).map((line, i) => i === first - 1 ? line + mark + names : line);
  return strToU8([...head, ...rows.map((row) => row.trimEnd() + mark + values), ""].join("\n"));
};

/** Empties most cells outside the first column. */
const thinTable: Mutate = (bytes, random) => {
  const { lines, mark, first } = splitTable(bytes);
  return strToU8(
    lines.map((line, i) =>
      i < first
        ? line
        : line.split(mark).map((cell, at) => at > 0 && random(10) > 0 ? "" : cell).join(mark)
    ).join("\n"),
  );
};

/** Repeats the rows with later timestamps: each copy is moved by the span of the table. */
const lengthenTable: Mutate = (bytes, random) => {
  const { lines, first } = splitTable(bytes);
  const rows = lines.slice(first).filter((line) => STAMP.test(line));
  const times = rows.map((row) => Date.parse(`${STAMP.exec(row)![0].replace(" ", "T")}Z`));
  const step = times.find((time) => time > times[0])! - times[0];
  if (!(step > 0)) return bytes;
  const span = Math.max(...times) - times[0] + step;
  const copies = Math.min(2 + random(60), Math.ceil(BYTES / bytes.length));
  const all = Array.from(
    { length: copies },
    (_, copy) =>
      rows.map((row) =>
        row.replaceAll(new RegExp(STAMP, "g"), (stamp) => {
          const moved = new Date(Date.parse(`${stamp.replace(" ", "T")}Z`) + copy * span);
          return moved.toISOString().slice(0, stamp.length).replace("T", stamp[10]);
        })
      ),
  ).flat();
  return strToU8([...lines.slice(0, first), ...all, ""].join("\n"));
};

/** Adds a column with a very long text. */
const lengthenCell: Mutate = (bytes, random) => {
  const { lines, mark, first } = splitTable(bytes);
  const long = pick(["x", '""', "ü", ";", "\n"], random).repeat(
    pick([1000, 100_000, 500_000], random),
  );
  return strToU8(
    lines.map((line, i) =>
      i < first - 1 || line.trim() === ""
        ? line
        : line.trimEnd() + mark + (i === first - 1 ? "comment" : i === first ? `"${long}"` : "")
    ).join("\n"),
  );
};

const stretchText: Mutate = (bytes, random) =>
  pick([widenTable, thinTable, lengthenTable, lengthenCell], random)(bytes, random);

/** Adds cells far to the right, in all rows or in one, or a row far below, to the sheets of a workbook. */
const stretchWorkbook: Mutate = (bytes, random) => {
  const members: Record<string, Uint8Array> = unzipSync(bytes);
  const column = pick([40, 200, 16_383], random);
  const every = random(2) === 0;
  const below = random(3) === 0 ? pick([1000, 100_000, 1_048_576], random) : 0;
  for (const name of Object.keys(members).filter((one) => one.startsWith("xl/worksheets/"))) {
    let done = false;
    let text = strFromU8(members[name]).replaceAll(
      /<row r="(\d+)"([^>]*[^/])?>(.*?)<\/row>/gs,
      (row, at) => {
        if (done && !every) return row;
        done = true;
        return row.replace(
          "</row>",
          `<c r="${formatCellName(Number(at) - 1, column)}"><v>1</v></c></row>`,
        );
      },
    );
    if (below > 0) {
      text = text.replace("</sheetData>", `<row r="${below}"><c r="A${below}"/></row></sheetData>`);
    }
    members[name] = strToU8(text);
  }
  return zipSync(members, { level: 1 });
};

/** Adds empty or constant columns to a Parquet file. */
const stretchParquet: Mutate = (bytes, random) => {
  const frame = pl.readParquet(Buffer.from(bytes));
  const count = pick([10, 300, 2000], random);
  const values = Array<number | null>(frame.height).fill(random(2) === 0 ? null : 1);
  const extra = Array.from(
    { length: count },
    (_, i) => pl.Series(`extra ${i}`, values as number[], pl.Float64),
  );
  const wide = pl.DataFrame([...frame.getColumns(), ...extra]);
  return wide.writeParquet() as unknown as Uint8Array;
};

/** Repeats the turbine of a site file under new identifiers. */
const multiplyTurbines: Mutate = (bytes, random) => {
  const site = JSON.parse(strFromU8(bytes));
  const [turbine] = site.turbines;
  const count = pick([10, 300, 3000], random);
  site.turbines = Array.from(
    { length: count },
    (_, i) => ({ ...turbine, id: `T${i}`, name: `Turbine ${i}` }),
  );
  if (random(2) === 0) {
    site.production = [{ ...turbine.production[0], turbine: "id", column: "power" }];
  }
  return strToU8(JSON.stringify(site));
};

/** Stretches by file extension. */
const stretches: readonly (readonly [end: string, stretch: Mutate])[] = [
  [".csv", stretchText],
  [".tsv", stretchText],
  [".csv.gz", (bytes, random) => gzipSync(stretchText(gunzipSync(bytes), random), { level: 1 })],
  [".zip", (bytes, random) => {
    const members: Record<string, Uint8Array> = unzipSync(bytes);
    const name = pick(Object.keys(members), random);
    members[name] = stretchText(members[name], random);
    return zipSync(members, { level: 1 });
  }],
  [".xlsx", stretchWorkbook],
  [".parquet", stretchParquet],
  ["site.json", multiplyTurbines],
];

/** Makes a valid but extreme file; `undefined` if the kind of file has no stretch. */
export function stretchFile(
  file: string,
  bytes: Uint8Array,
  random: Random,
): Uint8Array | undefined {
  return stretches.find(([end]) => file.endsWith(end))?.[1](bytes, random);
}
