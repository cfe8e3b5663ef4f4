/**
 * Mutations of files by a seed: bytes, cells, lines, JSON values, archive members. Checksums stay right if a reader
 * would stop at a wrong one.
 *
 * @module
 */
import { gzipSync, strFromU8, strToU8, unzipSync, zipSync } from "fflate";

/** Random whole numbers below a bound. */
export type Random = (below: number) => number;

/** Returns a mutated file. */
export type Mutate = (bytes: Uint8Array, random: Random) => Uint8Array;

/** Returns a mutated file, possibly asynchronously. */
export type SlowMutate = (bytes: Uint8Array, random: Random) => Uint8Array | Promise<Uint8Array>;

/** Picks one of a list. */
export const pick = <T>(list: readonly T[], random: Random): T => list[random(list.length)];

/** Values for a mutated cell. */
const CELLS = [
  "",
  " ",
  "NaN",
  "Inf",
  "-999",
  "1e308",
  "-1e400",
  "0x10",
  "1,5",
  "1.234,5",
  "null",
  '"',
  '"a""b"',
  "\u202e",
  "\u0000",
  "9".repeat(400),
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:00:00Z",
  "2023-02-29T00:00:00Z",
  "2023-13-01T00:00:00Z",
  "2023-01-01T00:00:00.000001Z",
  "2023-01-01T24:00:00Z",
  "2023-03-26T02:30",
  "2023-05",
  "2023",
];

/** Values for a mutated JSON value. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e300,
  2 ** 60,
  0.5,
  "",
  "..",
  "a\u0000b",
  " a",
  "\ud800",
  "\u202ea",
  "x".repeat(100_000),
  "__proto__",
  "9999-12-31",
  "2023-02-29",
  "Europe/Nowhere",
  [],
  {},
  Array(200).fill("line"),
  { a: { b: [] } },
];

/** Changes some bytes between two positions; a negative one counts from the end. */
export function changeBytes(from = 0, to = Infinity): Mutate {
  return (bytes, random) => {
    const changed = bytes.slice();
    const first = Math.max(0, from < 0 ? bytes.length + from : from);
    const length = Math.max(1, Math.min(bytes.length, to < 0 ? bytes.length + to : to) - first);
    for (let left = 1 + random(4); left > 0; left--) {
      const at = first + random(length);
      changed[at] = pick([0, 255, changed[at] ^ 1 << random(8), random(256)], random);
    }
    return changed;
  };
}

/** Cuts the file off. */
export const cutFile: Mutate = (bytes, random) => bytes.slice(0, random(bytes.length));

/** Changes a cell of a delimited text. */
export const changeCell: Mutate = (bytes, random) => {
  const lines = strFromU8(bytes).split("\n");
  const line = random(20) === 0 ? random(Math.min(5, lines.length)) : random(lines.length);
  const cells = lines[line].split(/([,;\t])/);
  cells[2 * random((cells.length + 1) / 2)] = pick(CELLS, random);
  lines[line] = cells.join("");
  return strToU8(lines.join("\n"));
};

/** Removes, repeats, moves or splits a line of a text. */
export const changeLine: Mutate = (bytes, random) => {
  const lines = strFromU8(bytes).split("\n");
  const [line, other] = [random(lines.length), random(lines.length)];
  const change = pick([
    () => lines.splice(line, 1),
    () => lines.splice(other, 0, lines[line]),
    () => lines.splice(line, 0, ""),
    () => lines[line] = lines[line].slice(0, random(lines[line].length + 1)),
    () => lines[line] += pick([",", ";", "\t", "\r", '"', " "], random),
  ], random);
  change();
  return strToU8(lines.join("\n"));
};

/** Changes a JSON value or its key, or repeats a key. */
export const changeJson: Mutate = (bytes, random) => {
  const root = JSON.parse(strFromU8(bytes));
  const places: [Record<string, unknown>, string][] = [];
  const visit = (value: unknown) => {
    if (typeof value !== "object" || value === null) return;
    for (const key of Object.keys(value)) {
      places.push([value as Record<string, unknown>, key]);
      visit((value as Record<string, unknown>)[key]);
    }
  };
  visit(root);
  const [parent, key] = pick(places, random);
  const way = random(10);
  if (way === 0) delete parent[key];
  else if (way === 1) parent[`${key}_`] = parent[key];
  else if (way === 2) parent[key] = [parent[key]];
  else parent[key] = pick(VALUES, random);
  const text = JSON.stringify(root);
  return strToU8(way === 9 ? text.replace(/"(\w+)":/, '"$1":1,"$1":') : text);
};

/** Changes a member of an archive and keeps its checksum right. */
export function changeMember(mutate: Mutate): Mutate {
  return (bytes, random) => {
    const members: Record<string, Uint8Array> = unzipSync(bytes);
    const name = pick(Object.keys(members), random);
    members[name] = mutate(members[name], random);
    return zipSync(members, { level: 1 });
  };
}

/** Changes an attribute or a text between two tags of XML. */
export const changeXml: Mutate = (bytes, random) => {
  const text = strFromU8(bytes);
  const places = [...text.matchAll(/"[^"]*"|>[^<]+</g)];
  if (places.length === 0) return bytes;
  const { 0: original, index } = pick(places, random);
  const value = pick([...CELLS, "A1:XFD1048576", "XFD1048576", "1048577", "-1", "&a;"], random);
  const changed = original[0] + value.replaceAll(/[<>"]/g, "") + original.at(-1);
  return strToU8(text.slice(0, index) + changed + text.slice(index + original.length));
};

/** Changes the content of a gzip file and keeps checksum and length right. */
export function changeZipped(content: Uint8Array, mutate: Mutate): Mutate {
  return (_, random) => gzipSync(mutate(new Uint8Array(content), random), { level: 1 });
}
