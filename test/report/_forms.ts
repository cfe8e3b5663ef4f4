/**
 * Reads the five forms of a report back, so tests can compare each figure of one form with the others.
 *
 * @module
 */
import { readXlsx, type Sheet } from "hucre/xlsx";
import { figures as indexColumns } from "../../src/api/columns/columns.ts";
import type { Verdict } from "../../src/analysis/verdict/row.ts";
import { type FleetReport, saveWorkbook } from "../../src/report/mod.ts";
import { formatShare } from "../../src/show/text/numbers.ts";

/** A figure or a word as a form of a report shows it. */
export interface Figure {
  readonly value: number | string | null;
  /** Half of its last visible digit; 0 if it is shown in full. */
  readonly half: number;
}

/** Figures by "page / table / row / column". */
export type Figures = Map<string, Figure>;

/** A table of a page; each row starts with its name. */
interface Table {
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A page of a report in one form: its tables by name, and all its words in order, without spaces. */
interface Page {
  readonly tables: ReadonlyMap<string, Table>;
  readonly text: string;
}

/** Pages by path: "index", "turbines/T1". */
type Pages = ReadonlyMap<string, Page>;

// deno-lint-ignore no-explicit-any -- JSON
export type Json = any;

/** A report in all forms except paper. */
export interface Forms {
  readonly json: ReadonlyMap<string, Json>;
  readonly html: Pages;
  readonly markdown: Pages;
  readonly workbook: ReadonlyMap<string, readonly Sheet[]>;
  /** Files by name. */
  readonly files: ReadonlyMap<string, string>;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
};

const plain = (html: string) =>
  html.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity])
    .replace(/[\s\u00a0]+/g, " ").trim();

/** A text without spaces, because each form breaks lines differently. */
export const squeeze = (text: string): string => text.replace(/[\s\u00a0]+/g, "");

/** Reads a figure, "1,321.7", "−8.8", "69.7 %"; other texts stay, and dashes and empty texts count as missing. */
export function readFigure(text: string): Figure {
  if (text === "" || text === "–") return { value: null, half: 0 };
  const digits = /^([+−-]?)([\d,]+(?:\.(\d+))?)(?: (?:%|MWh))?$/.exec(text);
  if (!digits) return { value: text, half: 0 };
  const [, sign, number, decimals = ""] = digits;
  const value = Number(number.replaceAll(",", ""));
  return { value: /[−-]/.test(sign) ? -value : value, half: 0.5 * 10 ** -decimals.length };
}

const exact = (value: number | string | null | undefined): Figure => ({
  value: value ?? null,
  half: 0,
});

/** Adds a cell to the columns of a table; intervals have two columns. */
function addCell(into: Figures, key: string, text: string): void {
  const [, from, to] = /^([\d.,−]+) to ([\d.,−]+)$/.exec(text) ?? [];
  if (/90 % interval$/.test(key)) {
    into.set(`${key}, from`, readFigure(from ?? text));
    into.set(`${key}, to`, readFigure(to ?? text));
  } else into.set(key, readFigure(text));
}

/** Figures of pages whose tables contain texts. */
export function collectFigures(pages: Pages): Figures {
  const collected: Figures = new Map();
  for (const [path, { tables }] of pages) {
    for (const [name, { heads, rows }] of tables) {
      for (const [row, ...cells] of rows) {
        cells.forEach((cell, i) =>
          heads[i + 1] === "12 months" ||
          addCell(collected, `${path} / ${name} / ${row} / ${heads[i + 1]}`, cell)
        );
      }
    }
  }
  return collected;
}

/** Names tables; a table of a turbine's months has verdicts, or its wind. */
const nameTable = (name: string, heads: readonly string[]) =>
  name !== "months" ? name : heads.includes("Produced") ? "months" : "indices";

function readHtmlPage(html: string): Page {
  const tables = new Map<string, Table>();
  const add = (name: string, table: Table) => tables.set(nameTable(name, table.heads), table);
  for (const [, name, table] of html.matchAll(/<div class="box (\w+)".*?<table>(.*?)<\/table>/gs)) {
    const heads = [...table.matchAll(/<th scope="col"[^>]*>(.*?)<\/th>/gs)].map(([, head]) =>
      plain(head.split("<br>")[0])
    );
    const rows = [...table.matchAll(/<tr[^>]*>(<th scope="row">.*?)<\/tr>/gs)].map(([, row]) =>
      [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell]) => plain(cell))
    );
    add(name, { heads, rows });
  }
  for (const [, name, list] of html.matchAll(/<dl class="(headline|sentences)">(.*?)<\/dl>/gs)) {
    const rows = [...list.matchAll(/<dt>(.*?)<\/dt><dd class="value">(.*?)<\/dd>/gs)].map((
      [, label, value],
    ) => [plain(label), plain(value)]);
    add(name, { heads: ["", "Value"], rows });
  }
  const strip = [...html.matchAll(/<li class="v-[a-z-]+"><b>(.*?)<\/b>(.*?)<\/li>/gs)];
  if (strip.length > 0) {
    const rows = strip.map(([, month, verdict]) => [plain(month), plain(verdict)]);
    add("strip", { heads: ["", "Verdict"], rows });
  }
  const text = plain(html.replace(/<style>.*?<\/style>|<svg .*?<\/svg>/gs, ""));
  return { tables, text: squeeze(text) };
}

const unescape = (markdown: string) =>
  plain(markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/\*\*(.*?)\*\*/g, "$1"))
    .replace(/\\(.)/g, "$1");

function readMarkdownPage(markdown: string): Page {
  const tables = new Map<string, Table>();
  for (const [lines] of markdown.matchAll(/(^\|.*\|$\n?)+/gm)) {
    const [heads, , ...rows] = lines.trim().split("\n").map((line) =>
      line.slice(2, -2).split(" | ").map(unescape)
    );
    const labels = heads.map((head) => head.replace(/ \((MWh|%)\)$/, ""));
    const name = labels[0] === "Month"
      ? nameTable("months", labels)
      : labels[0] === "Figure"
      ? "sentences"
      : labels.includes("Produced")
      ? "verdicts"
      : "turbines";
    const cut = name === "sentences" ? rows.map((row) => row.slice(0, 2)) : rows;
    tables.set(name, { heads: labels, rows: cut });
  }
  return { tables, text: squeeze(unescape(markdown)) };
}

/** Figures of a workbook: its numbers, independent of their format. */
export function collectSheets(workbook: ReadonlyMap<string, readonly Sheet[]>): Figures {
  const collected: Figures = new Map();
  for (const [path, sheets] of workbook) {
    for (const { rows } of sheets) {
      let end = 0; // end of the last table
      rows.forEach(([first, second], at) => {
        if (at < end) return;
        const name = path === "index" ? "headline" : "sentences";
        if (typeof second === "number" && typeof first === "string") {
          collected.set(`${path} / ${name} / ${first} / Value`, exact(second));
        }
        if (first !== "Month" && first !== "Turbine") return;
        const heads = rows[at].map((head) => String(head ?? "").replace(/\n.*/s, ""));
        const table = first === "Month"
          ? nameTable("months", heads)
          : heads.includes("Produced")
          ? "verdicts"
          : "turbines";
        for (let i = at + 1; rows[i]?.[0] != null; i++) {
          end = i + 1;
          const [start] = rows[i];
          const row = start instanceof Date
            ? start.toLocaleString("en", { month: "long", year: "numeric", timeZone: "UTC" })
            : String(start);
          heads.slice(1).forEach((head, j) => {
            const value = (rows[i][j + 1] ?? null) as number | string | null;
            const share = typeof value === "number" && /^Hours/.test(head) ? 100 : 1;
            const key = `${path} / ${table} / ${row} / ${head}`;
            collected.set(key, exact(typeof value === "number" ? share * value : value));
          });
        }
      });
    }
  }
  return collected;
}

/** Words for months, which JSON gives as numbers. */
const nameMonth = (month: string, length: "long" | "short" = "long") => {
  const [year, number] = month.split("-").map(Number);
  const name = new Date(Date.UTC(year, number - 1)).toLocaleString("en", {
    month: length,
    timeZone: "UTC",
  });
  return length === "long" ? `${name} ${year}` : `${name} ${String(year).slice(2)}`;
};

/** A share in %, rounded down as in all forms. */
const share = (value: number | null) => value === null ? null : Number(formatShare(value));

/** Figures of JSON, with the words of the other forms. */
export function collectJson(pages: ReadonlyMap<string, Json>): Figures {
  const collected: Figures = new Map();
  const set = (key: string, value: number | string | null | undefined) =>
    collected.set(key, exact(value));
  const indices = indexColumns.filter(({ unit }) => unit === "%");
  const setVerdict = (key: string, verdict: Verdict | null) => {
    const names = { Produced: "produced", Normal: "normal", Wind: "wind", Stops: "stops" } as const;
    const more = { Curtailment: "limited", Rest: "rest", Verdict: "verdict" } as const;
    for (const [label, name] of Object.entries({ ...names, ...more })) {
      set(`${key} / ${label}`, verdict?.[name]);
    }
    set(
      `${key} / Hours compared`,
      verdict?.produced == null ? null : share(verdict.completeness),
    );
  };
  const setIndices = (key: string, values: Json) => {
    for (const { name, label } of indices) set(`${key} / ${label}`, values?.[name]);
    set(`${key} / Predicted production`, values?.predicted_production);
    set(`${key} / 90 % interval, from`, values?.predicted_production_low);
    set(`${key} / 90 % interval, to`, values?.predicted_production_high);
  };
  const setState = (key: string, values: Json) => {
    set(`${key} / Hours with model data`, share(values?.completeness ?? null));
    set(`${key} / Status`, values?.status);
  };
  const fleet = pages.get("index")!;
  const { turbines, figures } = fleet;
  const units = turbines.reduce((sum: number, one: Json) => sum + one.units, 0);
  const outOf = (known: number, all: number) => known === all ? all : `${known} of ${all}`;
  const measured = turbines.filter((one: Json) => one.figures?.verdict?.produced != null);
  for (const { name, figures: fleetFigures, units, reason } of turbines) {
    if (measured.length > 0) {
      setVerdict(`index / verdicts / ${name}`, fleetFigures?.verdict ?? null);
    }
    setIndices(`index / turbines / ${name}`, fleetFigures);
    setState(`index / turbines / ${name}`, fleetFigures);
    set(`index / turbines / ${name} / Turbines`, outOf(reason === null ? units : 0, units));
  }
  const { verdict } = figures;
  if (verdict?.produced != null && measured.length > 1) {
    setVerdict(`index / verdicts / Sum of ${figures.units_measured} turbines`, verdict);
  }
  if (turbines.length > 1) {
    const key = "index / turbines / All turbines";
    setIndices(key, figures);
    setState(key, undefined);
    set(`${key} / Turbines`, outOf(figures.units, units));
  }
  const tile = (label: string, known: number) =>
    `index / headline / ${
      known === units ? label : `${label}, ${known} of ${units} turbines`
    } / Value`;
  if (verdict?.produced != null) {
    set(tile("Produced", figures.units_measured), verdict.produced);
    set(tile("Against normal", figures.units_measured), verdict.deviation_share);
  }
  set(tile("Predicted production", figures.units), figures.predicted_production);
  for (const { name, label } of indices) {
    if (/^(month_abnormality|last12_month|last_full_year)/.test(name)) {
      set(tile(label, units), figures[name]);
    }
  }
  for (const [path, page] of pages) {
    if (path === "index") continue;
    const twelve = page.months.slice(-12);
    const isMeasured = twelve.some((one: Json) => one.verdict?.produced != null);
    for (const one of twelve) {
      const key = (table: string) => `${path} / ${table} / ${nameMonth(one.month)}`;
      setIndices(key("indices"), one);
      setState(key("indices"), one);
      if (!isMeasured) continue;
      setVerdict(key("months"), one.verdict);
      set(`${key("months")} / Month abnormality index`, one.month_abnormality_index);
      const made = one.verdict?.produced == null ? null : one.verdict.verdict;
      set(`${path} / strip / ${nameMonth(one.month, "short")} / Verdict`, made);
    }
    const key = (label: string) => `${path} / sentences / ${label} / Value`;
    for (const { name, label } of indexColumns) set(key(label), page.figures[name]);
    set(key("Produced against predicted"), page.figures.compared?.ratio);
  }
  return collected;
}

/** Writes a report in all forms except paper, and reads them back. */
export async function readForms(report: FleetReport): Promise<Forms> {
  const files = new Map<string, string>();
  for await (const { name, content } of report) files.set(name, content);
  const read = <T>(ending: string, page: (content: string) => T) =>
    new Map(
      [...files].filter(([name]) => name.endsWith(ending))
        .map(([name, content]) => [name.slice(0, -ending.length), page(content)]),
    );
  const json = read(".json", JSON.parse);
  const path = await Deno.makeTempFile({ suffix: ".xlsx" });
  try {
    await saveWorkbook(report, path);
    const { sheets } = await readXlsx(await Deno.readFile(path));
    const workbook = new Map(
      [...json].map(([path, { title }]) =>
        [path, sheets.filter(({ rows }) => rows[0][0] === title)] as const
      ),
    );
    return {
      ...{ json, workbook, files },
      html: read(".html", readHtmlPage),
      markdown: read(".md", readMarkdownPage),
    };
  } finally {
    await Deno.remove(path);
  }
}

/** Texts that all forms of a page must have: the verdict and the sentences of its figures. */
export function listSentences(page: Json): string[] {
  const sentences: string[] = Object.values(page.sentences);
  return page.verdict ? [page.verdict.text, ...sentences] : sentences;
}

/** Compares the figures of two forms within their rounding, and words in full. */
export function findDifferences(a: Figures, b: Figures): { compared: number; differ: string[] } {
  const differ: string[] = [];
  let compared = 0;
  for (const [key, one] of a) {
    const other = b.get(key);
    if (!other) continue;
    if (one.value !== null) compared++;
    const isSame = typeof one.value === "number" && typeof other.value === "number"
      ? Math.abs(one.value - other.value) <=
        one.half + other.half + 1e-9 * (1 + Math.abs(one.value))
      : one.value === other.value;
    if (!isSame) differ.push(`${key}: ${one.value}, ${other.value}`);
  }
  return { compared, differ };
}

/** Some columns of a table's rows, by name of the row; missing values count as 0. */
export function pickRows(
  all: Figures,
  table: string,
  columns: readonly string[],
): Map<string, Figure[]> {
  const rows = new Map<string, Figure[]>();
  for (const [key] of all) {
    if (!key.startsWith(`${table} / `)) continue;
    const row = key.slice(table.length + 3, key.lastIndexOf(" / "));
    rows.set(row, columns.map((column) => all.get(`${table} / ${row} / ${column}`)!));
  }
  return rows;
}
