import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { modelDataCsv, monthlyIndicesFrame } from "../../../src/api/columns/columns.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { buildFrame } from "../../../src/frames/frame.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { CUSTOM_INSPECT, JUPYTER_DISPLAY } from "../../../src/show/jupyter.ts";
import { DISPLAY, displayOf } from "../../../src/show/check_frame.ts";
import { table as show, type TableOptions } from "../../../src/show/table/table.ts";

const HOUR = 3_600_000_000n;
const SPRING = BigInt(Date.UTC(2023, 2, 26)) * 1000n;

function hours(count: number, start = SPRING, step = HOUR): DataFrame {
  return buildFrame(modelDataCsv, {
    time: BigInt64Array.from({ length: count }, (_, i) => start + BigInt(i) * step),
    wind_speed: Array.from({ length: count }, (_, i) => 7 + i / 8),
    power: Array.from({ length: count }, (_, i) => 1000 + i),
  }, "Europe/Copenhagen");
}

/** The table of a frame; for handmade frames without the line about a missing source. */
function table(frame: DataFrame, options?: TableOptions) {
  if (!displayOf(frame)) {
    const value = { columns: [], caption: [], synthetic: false };
    Object.defineProperty(frame, DISPLAY, { value, configurable: true });
  }
  return show(frame, options);
}

function lines(frame: DataFrame): string[] {
  return table(frame).text().split("\n");
}

describe("table()", () => {
  it("states shape, names, units and dtypes", () => {
    const text = table(hours(3), { columns: modelDataCsv }).text();
    assertEquals(
      text,
      `3 rows × 3 columns

time                             wind_speed  power
                                        m/s     kW
datetime[us, Europe/Copenhagen]         f64    f64
───────────────────────────────  ──────────  ─────
2023-03-26T01:00+01:00                 7.00  1,000
2023-03-26T03:00+02:00                 7.13  1,001
2023-03-26T04:00+02:00                 7.25  1,002`,
    );
  });

  it("V12: shows up to 40 rows in full", () => {
    assert(!table(hours(40)).text().includes("not shown"));
    assertStringIncludes(table(hours(41)).text(), "… 21 rows not shown …");
  });

  it("V12: has one rule of digits per unit, months as months and shares in %", () => {
    const columns = [
      ...monthlyIndicesFrame.filter(({ name }) => name === "month" || name === "completeness"),
      { name: "energy", dtype: "f64", unit: "MWh", label: "E", description: "E.", tag: "ours" },
      { name: "ratio", dtype: "f64", unit: "%", label: "R", description: "R.", tag: "ours" },
    ] as const;
    const frame = buildFrame(columns, {
      month: [19723, 19754],
      completeness: [0.97963, 1],
      energy: [1102.94, 875.264],
      ratio: [158.16131101206395, 99],
    });
    assertEquals(
      table(frame, { columns }).text().split("\n").slice(-2).map((line) => line.trim().split(/ +/)),
      [["2024-01", "97.9", "1,103", "158.2"], ["2024-02", "100.0", "875", "99.0"]],
    );
    const head = table(frame, { columns }).text().split("\n")[3].trim().split(/ +/);
    assertEquals(head, ["%", "MWh", "%"]);
    const days = buildFrame(columns.slice(0, 1), { month: [19723, 19755] });
    assertStringIncludes(table(days).text(), "2024-01-01");
  });

  it("shows declared shares with a value above 1 unchanged and without %", () => {
    const columns = monthlyIndicesFrame.filter(({ name }) => name === "completeness");
    const text = table(buildFrame(columns, { completeness: [0.5, 12] }), { columns }).text();
    assertEquals(text.split("\n").slice(-2).map((line) => line.trim()), ["0.5", "12.0"]);
    assert(!text.includes("%"));
  });

  it("uses the declarations of the frame", () => {
    const frame = describeFrame(hours(1), modelDataCsv);
    assertStringIncludes(table(frame).text(), "m/s");
    assert(!table(frame, { columns: [] }).text().includes("m/s"));
  });

  it("says how many rows it leaves out, and shows the first and the last", () => {
    const frame = pl.DataFrame({ row: Array.from({ length: 8760 }, (_, i) => i) });
    const lines = table(frame).text().split("\n");
    assertEquals(lines.filter((line) => /^ *\d+$/.test(line)).length, 20);
    assert(lines.includes("… 8,740 rows not shown …"));
    assertEquals(lines[lines.length - 1].trim(), "8759");
    assertStringIncludes(table(frame).html(), "… 8,740 rows not shown …");
    assertEquals(table(frame, { maxRows: 1 }).text().includes("8759"), false);
    assertThrows(() => table(frame, { maxRows: 0 }), ArgumentError, "at least 1");
  });

  it("distinguishes null, NaN and zero", () => {
    const frame = pl.DataFrame([
      pl.Series("a", [null, NaN, 0, -0.00001, Infinity, 1.5], pl.Float64),
    ]);
    assertEquals(lines(frame).slice(5).map((line) => line.trim()), [
      "null",
      "NaN",
      "0.000",
      "-1.0e-5",
      "inf",
      "1.500",
    ]);
    const html = table(frame).html();
    assertStringIncludes(html, "–</span>");
    assertStringIncludes(html, ">NaN</td>");
  });

  it("gives a column of numbers the same decimals", () => {
    const text = (values: (number | null)[]) =>
      lines(pl.DataFrame([pl.Series("a", values, pl.Float64)])).slice(5).map((line) => line.trim());
    assertEquals(text([137.2543, 66]), ["137.25", "66.00"]);
    assertEquals(text([2000, 1500]), ["2000", "1500"]);
    assertEquals(text([0.98765, null]), ["0.988", "null"]);
    assertEquals(text([123456.7, 1]), ["123457", "1"]);
    assertEquals(text([1e-7, 0]), ["1.0000e-7", "0"]);
  });

  it("keeps 64-bit integers", () => {
    const frame = pl.DataFrame([
      pl.Series("u", BigUint64Array.of(18446744073709551615n) as never, pl.UInt64),
      pl.Series("i", BigInt64Array.of(-9007199254740993n) as never, pl.Int64),
    ]);
    for (const text of [table(frame).text(), table(frame).html()]) {
      assertStringIncludes(text, "18446744073709551615");
      assertStringIncludes(text, "-9007199254740993");
    }
  });

  it("never shows a small number next to large ones as zero", () => {
    const column = (values: (number | null)[]) =>
      lines(pl.DataFrame([pl.Series("f", values, pl.Float64)])).slice(5).map((line) => line.trim());
    assertEquals(column([1e9, 0.001, 2.5, 0]), ["1000000000", "1.0e-3", "3", "0"]);
    assertEquals(column([5, -0.0001, 0.25, -0]), ["5.000", "-1.0e-4", "0.250", "0.000"]);
    assertEquals(column([1e300, 0, -1e-20]), ["1.0000e+300", "0", "-1.0000e-20"]);
    // The remainder of a sum of large numbers is a rounding error, not a figure.
    assertEquals(column([0.5, 1e-17]), ["0.5", "0.0"]);
  });

  it("shows dates, and seconds only if there are any", () => {
    const frame = pl.DataFrame([
      pl.Series("day", ["2023-05-01"]).str.strptime(pl.Date, "%Y-%m-%d"),
    ]);
    assertEquals(lines(frame)[5], "2023-05-01");
    assertEquals(lines(hours(1, SPRING + 1_000_000n))[5].slice(0, 25), "2023-03-26T01:00:01+01:00");
    assertStringIncludes(lines(hours(1, SPRING + 1n))[5], "2023-03-26T01:00:00.000001+01:00");
  });

  it("shows naive timestamps, durations, lists and decimals without throwing", () => {
    const stamps = hours(2).getColumn("time");
    const frame = pl.DataFrame([
      stamps.cast(pl.Datetime("ms")).rename("naive"),
      pl.Series("list", [[1], [2, 3]]),
    ]).withColumns(
      pl.col("naive").sub(pl.col("naive").min()).alias("duration"),
      pl.lit(1.25).cast(pl.Decimal(10, 2)).alias("decimal"),
    );
    const text = table(frame).text();
    assertStringIncludes(text, "2023-03-26T01:00  ");
    assertStringIncludes(text, "[2, 3]");
    assertStringIncludes(text, "1.25");
  });

  it("shows lists and structures unchanged: NaN stays NaN, dates are days", () => {
    const days = pl.DataFrame({ group: [1, 1], day: ["2023-01-01", "2023-01-02"] })
      .withColumn(pl.col("day").str.strptime(pl.Date, "%Y-%m-%d"))
      .groupBy("group").agg(pl.col("day"));
    assertStringIncludes(table(days).text(), "[2023-01-01, 2023-01-02]");
    const frame = pl.DataFrame([
      pl.Series("figures", [[1.5, NaN], [2]]),
      pl.Series("words", [["a", "b\u202e"], []] as string[][]),
    ]).withColumns(pl.struct([pl.col("figures"), pl.col("words")]).alias("both"));
    const text = table(frame).text();
    assertStringIncludes(text, "[1.5, NaN]  ");
    assertStringIncludes(text, 'words: ["a", "b\\u202e"]}');
    assertStringIncludes(text, "list[f64]");
  });

  it("shows booleans, categories, times of day and bytes", () => {
    const frame = pl.DataFrame([
      pl.Series("truth", [true, false, null], pl.Bool),
      pl.Series("category", ["north", null, "south"]).cast(pl.Categorical),
      pl.Series("time", [3_600_000_000_000, null, 0], pl.Int64).cast(pl.Time),
      pl.Series("bytes", [new Uint8Array([0, 255]), new Uint8Array([1]), new Uint8Array([])]),
    ]);
    assertEquals(table(frame).text().split("\n").slice(5), [
      "true   north        01:00:00  [0, 255]",
      "false  null         null      [1]",
      "null   south        00:00:00  []",
    ]);
  });

  it("shows the first and the last of a thousand columns, and says how many it leaves out", () => {
    const frame = pl.DataFrame(
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`c${i}`, [i]])),
    );
    const display = table(frame, { maxColumns: 4 });
    assertEquals(
      display.text(),
      `1 row × 1,000 columns, 996 not shown

 c0   c1  …  c998  c999
f64  f64      f64   f64
───  ───  ─  ────  ────
  0    1  …   998   999`,
    );
    assertEquals(display.html().match(/<th /g)?.length, 5);
    assertEquals(table(frame).html().match(/<th /g)?.length, 31);
    assertThrows(() => table(frame, { maxColumns: 0 }), ArgumentError, "maxColumns");
  });

  it("leaves out columns in the middle to fit a line length", () => {
    const frame = pl.DataFrame(
      Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`column_${i}`, ["value"]])),
    );
    const display = table(frame);
    const text = display.text(35);
    assertEquals(
      text,
      `1 row × 9 columns, 6 not shown

column_0  column_1  …  column_8
str       str          str
────────  ────────  ─  ────────
value     value     …  value`,
    );
    for (const width of [1, 20, 34, 80, 87]) {
      const longest = Math.max(
        ...display.text(width).split("\n").slice(2).map((line) => line.length),
      );
      assert(longest <= Math.max(width, 11), `${width}: ${longest}`);
    }
    assertEquals(display.text(88), display.text());
    const wide = table(frame, { maxColumns: 4 });
    assertStringIncludes(wide.text(35), "1 row × 9 columns, 6 not shown");
    assertEquals(wide.text(41).split("…").length, wide.text().split("…").length);
  });

  it("shows a declared frame on the console as well", () => {
    const frame = describeFrame(hours(1), modelDataCsv);
    assertEquals(Deno.inspect(frame), table(frame).text());
  });

  it("reads only the visible rows of a million", () => {
    const frame = pl.DataFrame({ a: new Float64Array(1_000_000) as never });
    assertEquals(table(frame).html().match(/<tr /g)?.length, 22);
    assertStringIncludes(table(frame).text(), "… 999,980 rows not shown …");
  });

  it("F26 shows hidden characters in the name of a column, on one line", () => {
    const name = `a\nb\u202e\u200b\u001b[31m${"n".repeat(500)}`;
    const display = table(pl.DataFrame([pl.Series(name, [1])]));
    const [, , head] = display.text().split("\n");
    assert(head.startsWith("a\\nb\\u202e\\u200b\\u001b[31mnnn") && head.endsWith("n…"), head);
    assertEquals(head.length, 60);
    assert(!/\p{Cf}|\p{Cc}/u.test(display.html().replaceAll("\n", "")));
  });

  it("aligns characters that take two columns on a terminal", () => {
    const frame = pl.DataFrame({ site: ["風力", "ab"], n: ["x", "y"] });
    assertEquals(lines(frame).slice(5), ["風力  x", "ab    y"]);
  });

  it("shows an empty frame, and one without columns", () => {
    const empty = buildFrame(monthlyIndicesFrame, { turbine_id: [], month: [] });
    assertStringIncludes(table(empty).text(), "0 rows × 2 columns");
    assertEquals(table(pl.DataFrame()).text(), "0 rows × 0 columns");
    assertStringIncludes(table(pl.DataFrame()).html(), "0 rows × 0 columns");
  });

  it("shows columns that shadow the frame's own methods", () => {
    const names = ["filter", "select", "width", "height", "columns", "getColumn", "head", "1"];
    const frame = pl.DataFrame(names.map((name) => pl.Series(name, [`value of ${name}`])));
    const text = table(frame).text();
    assertStringIncludes(text, "1 row × 8 columns");
    for (const name of names) assertStringIncludes(text, `value of ${name}`);
  });

  it("F26 escapes names, units, values, title and caption", () => {
    const attack = `<script>alert("1")</script>`;
    const column = { ...modelDataCsv[1], name: attack, label: attack, unit: attack };
    const frame = describeFrame(pl.DataFrame([pl.Series(attack, [attack])]), [column], {
      operation: attack,
      parameters: {},
      fetchedAt: "2024-01-01T00:00:00Z",
      sha256: [],
      world: "own",
      attribution: [attack],
    });
    const html = table(frame, { title: attack }).html();
    assert(!html.includes("<script"));
    assertStringIncludes(html, "&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;");
  });

  it("shortens long texts and escapes control characters", () => {
    const frame = pl.DataFrame({ a: ["x".repeat(100), "🌬".repeat(100), "a\nb\u001b[31m\u202e"] });
    const [, , , , , long, emoji, control] = lines(frame);
    assertEquals(long.trim(), "x".repeat(59) + "…");
    assertEquals([...emoji.trim()].length, 60);
    assertEquals(control.trim(), "a\\nb\\u001b[31m\\u202e");
  });

  it("says SYNTHETIC if the figures are invented", () => {
    const provenance = {
      operation: "model_data",
      parameters: {},
      fetchedAt: "2024-01-01T00:00:00Z",
      sha256: [],
      attribution: [],
    };
    const sample = describeFrame(hours(1), modelDataCsv, { ...provenance, world: "sample" });
    const real = describeFrame(hours(1), modelDataCsv, { ...provenance, world: "own" });
    assert(table(sample).text().startsWith("SYNTHETIC"));
    assertStringIncludes(table(sample).html(), ">SYNTHETIC</span>");
    assert(!table(real).html().includes("SYNTHETIC"));
  });

  it("gives notebooks HTML and text, and nothing else", () => {
    const display = table(hours(1));
    assertEquals(Object.keys(display[JUPYTER_DISPLAY]()), ["text/html", "text/plain"]);
    assertEquals(display[CUSTOM_INSPECT](), display.text());
    assertEquals(String(display), display.text());
    assertEquals(Deno.inspect(display), display.text());
  });
});
