/**
 * The workbook of a report read by openpyxl: values of the frames, and formats that a spreadsheet needs.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { fleetReport, saveWorkbook } from "../../src/report/mod.ts";
import { MONTH, turbine } from "../report/_report.ts";
import { jsonOfPeer, whyWithout } from "./_venv.ts";

interface ReadSheet {
  readonly name: string;
  readonly freeze: string | null;
  readonly area: string;
  readonly titles: string | null;
  readonly pictures: number;
  readonly formulas: number;
  readonly formats: readonly (readonly string[])[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

const why = whyWithout("openpyxl", "PIL");
const group = why ? describe.ignore : describe;

group(why ? `a workbook in openpyxl (${why})` : "a workbook in openpyxl", () => {
  it("F27: has the values of the frames, months as dates, formats, heads in sight, pictures, no formula", async () => {
    const folder = await Deno.makeTempDir();
    const path = `${folder}/report.xlsx`;
    const [one, evil] = [
      turbine({ name: "Alpha 1" }),
      turbine({ turbine_id: "T2", name: "=HYPERLINK(1)" }),
    ];
    await saveWorkbook(fleetReport([one, evil], { month: MONTH }), path);
    const sheets = await jsonOfPeer("read_workbook.py", {
      args: [path],
      cwd: folder,
    }) as ReadSheet[];
    assertEquals(sheets.map(({ name }) => name), [
      "Fleet",
      "Losses of each turbine",
      "All turbines",
      "=HYPERLINK(1)",
      "Alpha 1",
    ]);
    for (const { name, formulas, area, rows } of sheets) {
      assertEquals(formulas, 0, name);
      assert(Number(area.split("$").at(-1)) >= rows.length, `${name}: ${area} of ${rows.length}`);
    }
    assertEquals(sheets.map(({ freeze }) => freeze), [null, "B5", "B5", "B6", "B6"]);
    assertEquals(sheets.map(({ titles }) => titles), [null, "$4:$4", "$4:$4", null, null]);
    assertEquals(sheets.map(({ pictures }) => pictures), [4, 0, 0, 3, 3]);

    const { rows, formats } = sheets[4];
    const head = rows.findIndex((row) =>
      row.some((cell) => String(cell).startsWith("Month index"))
    );
    const shown = one.indices.tail(12);
    const table = rows.slice(head + 1, head + 13);
    const column = (label: string) =>
      rows[head].findIndex((cell) => String(cell).startsWith(label));
    for (
      const [label, name] of [
        ["Month abnormality", "month_abnormality_index"],
        ["Month index", "month_index"],
        ["Last 12", "last12_month_index"],
        ["Predicted", "predicted_production"],
        ["90 % interval, from", "predicted_production_low"],
        ["90 % interval, to", "predicted_production_high"],
      ]
    ) {
      const values = shown.getColumn(name).toArray() as (number | null)[];
      assertEquals(table.map((row) => row[column(label)]), values, label);
    }
    const months = shown.getColumn("month").cast(pl.Utf8).toArray();
    assertEquals(table.map(([month]) => month), months);
    assertEquals(formats[head + 1][0], "mmm yyyy");
    assertEquals(formats[head + 1][column("Month index")], "#,##0.0");
    const turbines = sheets[2];
    const at = turbines.rows.findIndex(([name]) => name === "=HYPERLINK(1)");
    assertEquals(turbines.formats[at][0], "@");
    await Deno.remove(folder, { recursive: true });
  });
});
