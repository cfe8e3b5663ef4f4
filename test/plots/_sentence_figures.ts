/** The figures in a chart's sentences, and the data to compare them with. */
import type { DataFrame } from "nodejs-polars";
import type { Chart } from "../../src/plots/drawing/chart.ts";

type Row = Readonly<Record<string, unknown>>;

/** Fields that place a mark in the picture. */
const PIXELS = new Set(["x", "y", "x2", "y2", "inner", "outer", "size", "geometry", "position"]);

/** Names of months, also shortened as in charts. */
const MONTHS = [...Array(12).keys()].map((i) =>
  new Date(Date.UTC(2000, i)).toLocaleString("en", { month: "long", timeZone: "UTC" })
);

const FIGURE = /(?<![\p{L}\d.:_-])[+−-]?\d[\d,]*(?:\.\d+)?(?![\p{L}\d:])/gu;
const PERIOD = `(?:\\d{1,2} )?(?:${
  MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join("|")
}) \\d{4}`;
const STAMP = "\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}";

/** Data of all views of a chart, without fields that only place marks. */
function listDatasets(chart: Chart): Row[][] {
  const datasets: Row[][] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return;
    const { data, ...others } = part as { data?: { values?: Row[] } };
    if (data?.values && data.values.every((row) => Object.keys(row).length > 0)) {
      datasets.push(
        data.values.map((row) =>
          Object.fromEntries(Object.entries(row).filter(([name]) => !PIXELS.has(name)))
        ),
      );
    }
    Object.values(others).forEach(visit);
  };
  visit(chart.spec);
  return datasets;
}

/** The numbers of a value, including those in its texts and lists. */
function listNumbers(value: unknown): number[] {
  if (typeof value === "number") return Number.isNaN(value) ? [] : [value];
  if (typeof value === "string") return [...value.matchAll(FIGURE)].map(([text]) => parse(text));
  return Array.isArray(value) ? value.flatMap(listNumbers) : [];
}

function parse(figure: string): number {
  return Number(figure.replaceAll(",", "").replace("−", "-"));
}

/** Figures that a reader can derive from rows: their values, and for each column extremes, counts, mean and sum. */
function listFigures(rows: readonly Row[]): number[] {
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  return [rows.length, ...[...names].flatMap(listColumnFigures)];

  function listColumnFigures(name: string): number[] {
    const numbers: number[] = [];
    const counts = new Map<unknown, number>();
    for (const { [name]: value } of rows) {
      numbers.push(...listNumbers(value));
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    const sum = numbers.reduce((a, b) => a + b, 0);
    // With thousands of different values, every number would equal some count.
    const some = counts.size < 500 ? [counts.size, ...counts.values()] : [];
    return [...numbers, sum, sum / numbers.length, ...some];
  }
}

/** Whether a printed figure equals one of some numbers at its printed precision; for %, also a share. */
function isAmong(figure: string, percent: boolean, numbers: readonly number[]): boolean {
  const printed = parse(figure);
  const half = 0.5 * 10 ** -(figure.split(".")[1]?.length ?? 0) * (1 + 1e-6);
  return numbers.some((number) =>
    Math.abs(number - printed) <= half ||
    percent && Math.abs(number) <= 1 && Math.abs(100 * number - printed) <= half
  );
}

const known = new WeakMap<DataFrame, Row[]>();

/** Rows of a frame, with timestamps and days as in charts. */
function listRows(frame: DataFrame): Row[] {
  const rows = known.get(frame) ?? frame.toRecords().map((row) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]: [string, unknown]) => {
        if (!(value instanceof Date)) return [[name, value]];
        const stamp = value.toISOString();
        const month = `${MONTHS[value.getUTCMonth()]} ${value.getUTCFullYear()}`;
        return [[name, month], [`${name} of day`, stamp.slice(0, 16).replace("T", " ")]];
      }),
    )
  );
  known.set(frame, rows);
  return rows;
}

/** A part of a sentence with the names of its rows, such as "T1" and "July 1985". */
interface Clause {
  readonly text: string;
  /** Names at the beginning of its sentence. */
  readonly held: readonly string[];
  readonly names: readonly string[];
}

/** Splits a text at its commas; names at the beginning of a sentence apply until its end. */
function splitClauses(text: string, all: readonly string[]): Clause[] {
  const names = all.map((name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const isPeriod = (name: string) => new RegExp(`^(?:${STAMP}|${PERIOD})$`).test(name);
  const name = new RegExp(
    `(?<![\\p{L}\\d])(?:${[STAMP, PERIOD, ...names].join("|")})(?![\\p{L}\\d])`,
    "gu",
  );
  return text.split(/[.;](?: |$)/).flatMap((sentence) => {
    const names: string[] = [];
    // Names first, because they may contain commas and digits.
    const plain = sentence.replace(name, (one) => `{${names.push(one) - 1}}`)
      .replace(/\{\d+\} to \{\d+\}/g, "…"); // a span covers all rows
    const first = /^\{(\d+)\}/.exec(plain);
    return plain.split(", ").map((clause) => {
      const clauseNames = [...clause.matchAll(/\{(\d+)\}/g)].map(([, i]) => names[Number(i)]);
      const held = first ? [names[Number(first[1])]] : [];
      return {
        text: clause.replace(/\{\d+\}/g, "…"),
        held,
        // "T1: 61 % in July 1985" is about both names, "T1 60 MWh, T2 45 MWh" about one after the other.
        names: [
          ...held.filter((name) =>
            clauseNames.every((other) => isPeriod(other) !== isPeriod(name))
          ),
          ...clauseNames,
        ],
      };
    });
  });
}

/** Columns and fields whose texts name a row. */
const NAMES = ["label", "turbine", "turbine_id", "name", "method", "step", "month"];

/** Names of rows, the longest first; without names of periods and labels of axes and distances. */
function listNames(rows: readonly Row[]): string[] {
  const isPeriod = new RegExp(`^(?:${PERIOD})$`);
  const names = new Set(rows.flatMap((row) => NAMES.flatMap((name) => row[name] ?? [])));
  return [...names].filter((name) => typeof name === "string")
    .filter((name) =>
      /^\p{L}.*\p{L}|\p{L}\d/u.test(name) && !isPeriod.test(name) && !MONTHS.includes(name)
    )
    .sort((a, b) => b.length - a.length);
}

/** Whether a figure is the smallest or the largest of a column. */
function isExtreme(figure: string, word: string, rows: readonly Row[]): boolean {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return names.some((name) => {
    const numbers = rows.flatMap((row) => listNumbers(row[name]));
    if (numbers.length === 0) return false;
    const end = numbers.reduce((a, b) => (word === "lowest" ? b < a : b > a) ? b : a);
    return isAmong(figure, true, [end]);
  });
}

/**
 * Finds figures in a chart's sentences (above it and for screen readers) that are not in its data. A figure next to a name,
 * such as "61 % in July 1985", must be in the rows of that name; a lowest or highest figure must be the extreme of all
 * rows.
 *
 * @param frames Frames of the chart
 * @param others Figures derived from the frames in another way, and figures in definitions, such as the 90 of "90 %
 * interval"
 */
export function findStrangeFigures(
  chart: Chart,
  frames: readonly DataFrame[],
  others: readonly number[] = [],
): string[] {
  const { subtitle } = chart.spec.title as { subtitle: readonly string[] };
  const datasets = [...listDatasets(chart), ...frames.map(listRows)];
  const names = listNames(datasets.flat());
  const pick = (names: readonly string[]) =>
    datasets.map((rows) =>
      rows.filter((row) => {
        const texts = Object.values(row);
        return names.every((name) => texts.includes(name));
      })
    ).filter((rows) => rows.length > 0);
  const all = datasets.flatMap(listFigures);
  return [chart.altText, subtitle.join(" ")].flatMap((text) =>
    splitClauses(text, names).flatMap(({ text, held, names }) => {
      const clauseFigures = names.length === 0 ? all : pick(names).flatMap(listFigures);
      const numbers = [...others, ...clauseFigures];
      return [...text.matchAll(FIGURE)].filter(({ 0: figure, index }) => {
        const percent = text.slice(index).startsWith(`${figure} %`);
        if (!isAmong(figure, percent, numbers)) return true;
        const [, word] = /(lowest|highest) $/.exec(text.slice(0, index)) ?? [];
        return word !== undefined && !pick(held).some((rows) => isExtreme(figure, word, rows));
      }).map(([figure]) => `${figure} of "${text}"${names.length > 0 ? `: ${names}` : ""}`);
    })
  );
}
