import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { unzipSync } from "fflate";
import { type Cell, readXlsx, type Workbook } from "hucre/xlsx";
import pl from "nodejs-polars";
import { planBudget } from "../../src/analysis/plan_budget/plan_budget.ts";
import { ArgumentError } from "../../src/api/errors.ts";
import { withProvenance } from "../../src/frames/origin/provenance.ts";
import {
  answerReport,
  fleetReport,
  type ReportFile,
  saveReport,
  saveWorkbook,
} from "../../src/report/mod.ts";
import { buildDetails, buildIndicesFrame } from "../plots/_frames.ts";
import { fleet, MONTH, turbine } from "./_report.ts";

let folder: string;

const generatedAt = "2024-02-01T10:00:00Z";

/** A workbook of a report, read back, with the parts of its file as texts. */
async function readBack(
  report: AsyncIterable<ReportFile>,
): Promise<{ workbook: Workbook; parts: Record<string, string> }> {
  const path = `${folder}/${crypto.randomUUID()}.xlsx`;
  await saveWorkbook(report, path);
  const body = await Deno.readFile(path);
  const parts = Object.entries(unzipSync(body)).filter(([name]) => name.endsWith(".xml"));
  return {
    workbook: await readXlsx(body, { readStyles: true }),
    parts: Object.fromEntries(
      parts.map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
    ),
  };
}

const rowsOf = (workbook: Workbook, name: string) =>
  workbook.sheets.find((sheet) => sheet.name === name)!.rows;

/** Rows of a table by their first cell, below a row that begins with a word: the first such row, or a later one. */
function tableOf(rows: readonly (readonly unknown[])[], first: string, place = 0) {
  const head = [...rows.keys()].filter((at) => rows[at][0] === first)[place];
  const end = rows.findIndex(([cell], i) => i > head && (cell === null || cell === undefined));
  return { head: rows[head], body: rows.slice(head + 1, end === -1 ? undefined : end) };
}

/** Columns of a table by the beginning of their heads. */
const columnsOf = ({ head, body }: ReturnType<typeof tableOf>) => (label: string) => {
  const at = head.findIndex((cell) => String(cell).startsWith(label));
  return body.map((row) => row[at] ?? null);
};

const styleOf = ({ sheets }: Workbook, name: string, at: string): Cell["style"] =>
  sheets.find((sheet) => sheet.name === name)!.cells!.get(at)?.style;

describe("saveWorkbook()", () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(async () => await Deno.remove(folder, { recursive: true }));

  it("has a sheet for the fleet, one for each of its tables, and one for each turbine by name", async () => {
    const [a, b, c] = fleet(3);
    const { workbook } = await readBack(fleetReport([c, a, b], { month: MONTH }));
    assertEquals(workbook.sheets.map(({ name }) => name), [
      "Fleet",
      "Losses of each turbine",
      "All turbines",
      "Park A 1",
      "Park A 2",
      "Park A 3",
    ]);
  });

  it("has the figures of the frames, unrounded, and months as dates", async () => {
    const one = turbine({ name: "Alpha" });
    const { workbook } = await readBack(fleetReport([one], { month: MONTH }));
    const rows = rowsOf(workbook, "Alpha");
    const cellsOf = columnsOf(tableOf(rows, "Month", 1));
    const lastYear = one.indices.tail(12);
    const expected = (name: string) => lastYear.getColumn(name).toArray();
    assertEquals(cellsOf("Month"), expected("month"));
    assertEquals(cellsOf("Month abnormality index\n%"), expected("month_abnormality_index"));
    assertEquals(cellsOf("Month index\n%"), expected("month_index"));
    assertEquals(cellsOf("Predicted production\nMWh"), expected("predicted_production"));
    assertEquals(cellsOf("90 % interval, from\nMWh"), expected("predicted_production_low"));
    assertEquals(cellsOf("90 % interval, to\nMWh"), expected("predicted_production_high"));
    assertEquals(cellsOf("Hours with model data"), expected("completeness"));
    assertEquals(cellsOf("Status"), expected("status"));
    const compared = one.comparison!.tail(12);
    const [made, predicted] = ["produced", "predicted"].map((name) =>
      compared.getColumn(name).toArray() as number[]
    );
    const verdicts = columnsOf(tableOf(rows, "Month"));
    assertEquals(verdicts("Month"), expected("month"));
    assertEquals(verdicts("Produced\nMWh"), made);
    const rest = verdicts("Rest\nMWh") as number[];
    rest.forEach((value, i) => assertAlmostEquals(value, made[i] - predicted[i], 1e-9));
    assertEquals(verdicts("Month abnormality index\n%"), expected("month_abnormality_index"));
    assertEquals(verdicts("Hours compared"), Array(12).fill(1));
    // A step that is part of the rest has no figure.
    assertEquals(verdicts("Stops\nMWh"), Array(12).fill(null));
  });

  it("AN7: has the main figures of the fleet and of a turbine as numbers with units", async () => {
    const two = ["A", "B"].map((id) => turbine({ turbine_id: id, name: `Alpha ${id}` }));
    const { workbook } = await readBack(fleetReport(two, { month: MONTH }));
    const valueOf = (sheet: string, label: string) => {
      const rows = rowsOf(workbook, sheet);
      const at = rows.findIndex(([cell]) => cell === label);
      return [rows[at]?.[1], styleOf(workbook, sheet, `${at},1`)?.numFmt];
    };
    const { month_abnormality_index: index, predicted_production: predicted } = two[0].indices
      .toRecords().at(-1)!;
    const assertFigure = (sheet: string, label: string, expected: number, format: string) => {
      const [value, numFmt] = valueOf(sheet, label);
      assertAlmostEquals(value as number, expected, 1e-6, label);
      assertEquals(numFmt, format, label);
    };
    const [share, energy] = [Number(index), 2 * Number(predicted)];
    assertFigure("Fleet", "Month abnormality index", share, '#,##0.0 "%"');
    assertFigure("Fleet", "Predicted production", energy, '#,##0 "MWh"');
    assertFigure("Fleet", "Produced", 0.95 * energy, '#,##0 "MWh"');
    assertFigure("Alpha A", "Month abnormality index", share, '#,##0.0 "%"');
    assertFigure("Alpha A", "Predicted production", energy / 2, '#,##0.0 "MWh"');
    const sentences = rowsOf(workbook, "Alpha A").flat().join("\n");
    assertStringIncludes(sentences, "of the energy of a normal December:");
  });

  it("leaves a missing figure empty", async () => {
    const one = turbine({ name: "Alpha" }, { gaps: [23 - 4] });
    const { workbook } = await readBack(fleetReport([one], { month: MONTH }));
    const rows = rowsOf(workbook, "Alpha");
    for (const [place, label] of [[0, "Produced"], [0, "Normal"], [1, "Month index"]] as const) {
      const cellsOf = columnsOf(tableOf(rows, "Month", place));
      assertEquals(cellsOf(label)[7], null);
      assert(typeof cellsOf(label)[8] === "number");
      assertEquals(cellsOf("Month")[7], new Date("2023-08-01T00:00:00Z"));
    }
  });

  it("formats numbers as the page does: decimals, %, the share of hours", async () => {
    const complete = turbine({ name: "Alpha" });
    const part = complete.comparison!.withColumns(pl.lit(0.8).alias("completeness"));
    const comparison = withProvenance(
      part.withColumn(pl.lit(600).cast(pl.Int32).alias("hours")),
      complete.comparison!,
    );
    const { workbook } = await readBack(
      fleetReport([{ ...complete, comparison }], { month: MONTH }),
    );
    const rows = rowsOf(workbook, "Alpha");
    const heads = [...rows.keys()].filter((at) => rows[at][0] === "Month");
    const at = (place: number, label: string) => {
      const column = rows[heads[place]].findIndex((cell) => String(cell).startsWith(label));
      const row = heads[place] + 12;
      return [rows[row][column], styleOf(workbook, "Alpha", `${row},${column}`)?.numFmt];
    };
    assertEquals(at(0, "Month")[1], "mmm yyyy");
    assertEquals(at(0, "Wind")[1], "#,##0.0");
    assertEquals(at(0, "Hours compared"), [0.8, "#,##0.0 %"]);
    assertEquals(at(1, "Month index")[1], "#,##0.0");
    assertEquals(at(1, "Hours with model data"), [1, "#,##0.0 %"]);
  });

  it("keeps heads in sight, prints sheets on pages of the same width, with heads, and has charts as pictures", async () => {
    const { workbook, parts } = await readBack(fleetReport(fleet(25), { month: MONTH }));
    const [first, lost, all, one] = workbook.sheets;
    assertEquals(first.freezePane, undefined);
    assertEquals([lost.freezePane, lost.rows[3][0]], [{ rows: 4, columns: 1 }, "Turbine"]);
    assertEquals(all.freezePane, { rows: 4, columns: 1 });
    assertEquals(all.rows[3][0], "Turbine");
    assertEquals(one.freezePane, { rows: 5, columns: 1 });
    assertEquals(one.images!.length, 3);
    assert(one.images!.every(({ altText }) => altText!.length > 10));
    // Charts of a turbine are half as wide, so the end of a page cuts none.
    for (const { anchor: { from, to } } of one.images!) {
      assertEquals([from.col, to!.col, to!.row - from.row], [0, 3, 1]);
    }
    const names = parts["xl/workbook.xml"];
    assertStringIncludes(names, "'All turbines'!$4:$4");
    assertStringIncludes(names, "'Park A 1'!$A$1:$K$");
    assertStringIncludes(parts["xl/worksheets/sheet4.xml"], 'fitToWidth="1" fitToHeight="0"');
  });

  it("links the table of the fleet to the sheets of turbines", async () => {
    const { parts } = await readBack(fleetReport(fleet(2), { month: MONTH }));
    for (const sheet of ["sheet2", "sheet3"]) {
      assertStringIncludes(
        parts[`xl/worksheets/${sheet}.xml`],
        `location="&apos;Park A 1&apos;!A1"`,
      );
    }
  });

  it("has sources with their hashes on each sheet of a turbine", async () => {
    const { workbook } = await readBack(fleetReport(fleet(2), { month: MONTH }));
    for (const name of ["Park A 1", "Park A 2"]) {
      const text = rowsOf(workbook, name).flat().join("\n");
      assertStringIncludes(text, `sha256 ${"0123456789abcdef".repeat(4)}`);
      assertStringIncludes(text, "Contains modified Copernicus");
    }
  });

  it("says SYNTHETIC on every sheet and on every page of figures of the sample, and on no other", async () => {
    for (const world of ["sample", "own"] as const) {
      const { workbook, parts } = await readBack(fleetReport(fleet(2, world), { month: MONTH }));
      for (const [i, { name, rows }] of workbook.sheets.entries()) {
        const sample = world === "sample";
        assertEquals(
          rows.flat().some((cell) => String(cell).startsWith("SYNTHETIC")),
          sample,
          name,
        );
        const page = parts[`xl/worksheets/sheet${i + 1}.xml`];
        assertEquals(page.includes("<oddFooter>&amp;LSYNTHETIC"), sample, name);
      }
    }
  });

  it("F27: has no formula, for any beginning of a text, and texts stay texts", async () => {
    const attacks = ["=1+2", "+1", "-1+1", "@SUM(A1)", "\t=1", "＝1", "#N/A", "_x0041_", "'=1"];
    for (const attack of attacks) {
      const frame = buildIndicesFrame({ turbines: [attack] });
      const indices = withProvenance(frame.withColumn(pl.lit(attack).alias("status")), frame);
      const details = buildDetails({ turbine_id: attack, name: attack, time_zone: attack });
      const turbines = [{ details, indices }, { turbineId: `${attack}2`, reason: attack }];
      const trimmed = attack.trim(); // a tab is refused in the caller's own texts
      const options = { month: MONTH, fleet: trimmed };
      const { workbook, parts } = await readBack(fleetReport(turbines, options));
      for (const [name, part] of Object.entries(parts)) {
        assert(!/<f[ >]|t="e"|\t=1/.test(part), name);
      }
      const { rows, name, cells } = workbook.sheets[2];
      assert(!/[[\]:*?/\\']/.test(name), name);
      const text = attack.trim();
      assert(rows.flat().includes(text), `${attack} in ${name}`);
      const status = [...cells!].find(([, { value }]) =>
        value === attack && "=+-@＝".includes(attack[0])
      );
      if (status) assertEquals(status[1].style?.numFmt, "@", attack);
    }
  });

  it("gives sheets unique names of limited length, even for turbines with the same name", async () => {
    const name = "A [very] long name: of a turbine / park, 'north'";
    const all = [1, 2].map((i) => turbine({ turbine_id: `T${i}`, name }));
    const history = turbine({ turbine_id: "T3", name: "History" });
    const { workbook } = await readBack(fleetReport([...all, history], { month: MONTH }));
    assertEquals(workbook.sheets.map(({ name }) => name).slice(3), [
      "A -very- long name- of a turbin",
      "A -very- long name- of a tu (2)",
      "History (2)",
    ]);
  });

  it("has a sheet for each frame of an answer, and puts answers about a turbine on its sheet", async () => {
    const { details, indices } = turbine({ name: "Alpha" }, { months: 48, from: "2020-01" });
    const budget = planBudget(indices, { from: "2024-01" });
    const { workbook } = await readBack(answerReport(budget, { title: "Budget" }));
    const frames = Object.values(budget.frames);
    assertEquals(workbook.sheets.length, 1 + frames.length);
    assertEquals(workbook.sheets[0].name, "Budget");
    const months = budget.frames.months;
    const sheet = workbook.sheets.find(({ rows }) =>
      rows.some(([cell]) => String(cell).startsWith("Month"))
    )!;
    const { head, body } = tableOf(sheet.rows, String(sheet.rows[3][0]));
    assertEquals(body.length, months.height);
    assertEquals(head.length, months.width);
    const name = months.columns.find((name) => months.getColumn(name).dtype.variant === "Float64")!;
    const at = months.columns.indexOf(name);
    assertEquals(body.map((row) => row[at] ?? null), months.getColumn(name).toArray());

    const report = [{ details, indices, answers: [budget] }];
    const { workbook: turbineBook } = await readBack(fleetReport(report, { month: MONTH }));
    const text = rowsOf(turbineBook, "Alpha").flat();
    assert(
      (months.getColumn(name).toArray() as (number | null)[])
        .every((value) => value === null || text.includes(value)),
    );
  });

  it("makes the same file from the same report", async () => {
    const paths = [1, 2].map((i) => `${folder}/same${i}.xlsx`);
    const report = () => fleetReport(fleet(2), { month: MONTH, generatedAt });
    for (const path of paths) await saveWorkbook(report(), path);
    const [a, b] = await Promise.all(paths.map((path) => Deno.readFile(path)));
    assertEquals(a, b);
  });

  it("accepts a report whose files are also saved", async () => {
    const report = fleetReport(fleet(1), { month: MONTH });
    await saveReport(report, `${folder}/both`);
    await saveWorkbook(report, `${folder}/both/report.xlsx`);
    assert((await Deno.stat(`${folder}/both/report.xlsx`)).isFile);
  });

  it("refuses anything but a report, and a file name that spreadsheets would not open", async () => {
    const files = [{ name: "index.html", content: "" }] as unknown as AsyncIterable<ReportFile>;
    await assertRejects(
      () => saveWorkbook(files, `${folder}/x.xlsx`),
      ArgumentError,
      "Cannot save a workbook: this is a list of 1, not a report. Give a report from makeFleetReport(), fleetReport() or answerReport()",
    );
    await assertRejects(
      () => saveWorkbook(fleetReport(fleet(1), { month: MONTH }), `${folder}/x.xls`),
      ArgumentError,
      "the name does not end in .xlsx. Give a name with this ending",
    );
  });

  it("writes nothing after an abort", async () => {
    const report = fleetReport(fleet(1), { month: MONTH });
    const signal = AbortSignal.abort();
    await assertRejects(
      () => saveWorkbook(report, `${folder}/aborted.xlsx`, { signal }),
      DOMException,
    );
    await assertRejects(() => Deno.stat(`${folder}/aborted.xlsx`), Deno.errors.NotFound);
  });
});
