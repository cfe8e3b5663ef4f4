import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { compareActual } from "../../src/analysis/compare_actual/compare_actual.ts";
import { changeColumns } from "../../src/analysis/check_performance/frames.ts";
import { words as performanceWords } from "../../src/analysis/check_performance/words.ts";
import { writeFindings } from "../../src/analysis/series/answer.ts";
import { ArgumentError } from "../../src/api/errors.ts";
import { buildFrame } from "../../src/frames/frame.ts";
import { fleetReport, type TurbineReport } from "../../src/report/mod.ts";
import { buildDetails, buildIndicesFrame } from "../plots/_frames.ts";
import { ATTRIBUTION, buildReport, extractText, fleet, MONTH, turbine } from "./_report.ts";

/** Names of the linked turbines in a part of a page, in order. */
const listNames = (html: string) =>
  [...html.matchAll(/<a href="turbines\/[^"]+">([^<]+)/g)].map(([, name]) => name);

describe("the page of a turbine", () => {
  it("begins with the verdict, then has charts, twelve months, a sentence for every figure, facts, definitions and sources", async () => {
    const page = (await buildReport([turbine()]))["turbines/T1.html"];
    const words = extractText(page);
    for (
      const text of [
        "Example 1 Wind report, December 2023 · T1 · made 2024-02-01",
        "Wind or turbine? As usual. December 2023: 535.7 MWh produced, 7.7 MWh (1.5 %) more than a normal December (528.0 MWh). Deviations of up to 51.3 MWh are within the model error.",
        "Oct 23 wind Nov 23 as usual Dec 23 as usual Last 12 months",
        "December 2023 535.7 528.0 +35.9 – – −28.2 as usual 106.8 100.0 % The figures of the month",
        "December 2023 had",
        "of the energy of an average month; a normal December has 120.0 %.",
        "of the energy of a normal December:",
        "The last full quarter, October to December 2023, had 98.5 % of the energy of these months in a normal year: about as much wind as usual.",
        "The last full year, 2023, had 101.5 % of the energy of a normal year: about as much wind as usual.",
        "With the wind of December 2023, the model predicts",
        "The turbine produced 95.0 % of the 563.9 MWh that the model predicts.",
        "The figures of this month are preliminary",
        "Hub height 68.5 m",
        "Rated power 2,000 kW",
        "55.4910° N, 7.8400° W",
        "2019-01-01 to 2021-12-31",
        "Last index December 2023",
        "Modelled energy of the month over the energy of a normal month of the same name.",
        "Indices: monthly_indices(turbine_id=T1) from own data, fetched 2024-02-01T10:00:00Z, sha256 0123456789abcdef",
        ATTRIBUTION,
        "Made with Vindkit, 2024-02-01T10:00:00Z",
      ]
    ) assertStringIncludes(words, text);
    assertEquals(
      page.match(/<figure class="narrow"><svg role="img" aria-label="[^"]{40,}"/g)?.length,
      3,
    );
    assertEquals(page.match(/<th scope="row">[A-Z][a-z]+ 2023<\/th>/g)?.length, 12);
    assertEquals(page.match(/<li class="v-[a-z-]+"><b>[A-Z][a-z]{2} 23<\/b>/g)?.length, 12);
    assertStringIncludes(page, `<a href="../index.html">All turbines in December 2023</a>`);
    assert(!page.includes("SYNTHETIC"));
  });

  it("S1: has a sentence on power limits and on each lasting change of the production, or on the smallest that would show", async () => {
    const instant = (text: string) => BigInt(Date.parse(text)) * 1000n;
    const changes = buildFrame(changeColumns, {
      change: ["loss"],
      from: [instant("2023-03-31T23:00Z")],
      from_low: [instant("2023-03-10T00:00Z")],
      from_high: [instant("2023-04-20T00:00Z")],
      to: [instant("2024-01-01T00:00Z")],
      size: [-8.4],
      size_low: [-11.2],
      size_high: [-5.1],
      lost: [412.3],
      lost_low: [250],
      lost_high: [560],
      against: ["prediction"],
    }, "Europe/Copenhagen");
    const page = async (performance: TurbineReport["performance"]) =>
      extractText((await buildReport([{ ...turbine(), performance }]))["turbines/T1.html"]);
    const { findings } = writeFindings(performanceWords, {}, [{
      ...{ code: "power_limits", source: "found", spells: 12, hours: 80 },
      ...{ from: "2023-08-05", to: "2023-10-31", levels: [1200, 1200], hours_of_day: [] },
      ...{ lost: 38, lost_low: 21, lost_high: 55 },
    }]);
    const check = { findings, smallestChange: 3.2, verdicts: [] };
    const words = await page({ ...check, frames: { changes } });
    assertStringIncludes(
      words,
      "From April 2023 on, the turbine produces 8.4 % less from the same wind than before (90 % interval 5.1 to 11.2 %): 412.3 MWh lost since.",
    );
    assertStringIncludes(
      words,
      "Curtailment cost 38.0 MWh (90 % interval 21.0 to 55.0 MWh). The power was limited to 1,200 kW for 80 hours in 12 periods from 2023-08-05 to 2023-10-31.",
    );
    assertStringIncludes(
      await page({ ...check, frames: { changes: changes.head(0) } }),
      "The production from the same wind shows no lasting change. A change of 3.2 % or more would be visible.",
    );
    const refused = await buildReport([{ ...turbine(), noPerformance: "the unit is wrong" }]);
    assertStringIncludes(
      extractText(refused["turbines/T1.html"]),
      "Lasting changes were not checked: the unit is wrong",
    );
  });

  it("shows missing values as missing, with the reason, and never as zero", async () => {
    const { "turbines/T1.html": page } = await buildReport([turbine()], { month: "2022-10" });
    const words = extractText(page);
    assertStringIncludes(
      words,
      "Month abnormality index – There is no figure for October 2022: only 40.0 % of its hours have data.",
    );
    assertStringIncludes(
      words,
      "There is no figure for the twelve months that end with October 2022",
    );
    const without = "October 2022 has no figures, so earlier quarters and years have none either";
    assertStringIncludes(words, `There is no figure for July to September 2022: ${without}`);
    assertStringIncludes(words, `There is no figure for 2021: ${without}`);
    assertStringIncludes(words, "For October 2022 there is nothing to compare");
    assertStringIncludes(words, "October 2022 – – – – – – – – – The figures of the month");
    assertStringIncludes(words, "Sep 22 cannot be told Oct 22 –");
    assertStringIncludes(page, `<span class="missing" role="img" aria-label="no value">–</span>`);
  });

  it("says if production, position or history are missing", async () => {
    const details = buildDetails({
      name: "",
      latitude: null,
      hub_height: null,
      rated_power: null,
      training_start: null,
      training_end: null,
      last_wind_index: null,
      power_curve: null,
      data_ready: false,
    });
    const indices = pl.concat([buildIndicesFrame(), pl.DataFrame()], { how: "diagonal" }); // this loses the source
    const page = (await buildReport([{ details, indices }]))["turbines/T1.html"];
    const words = extractText(page);
    for (
      const text of [
        "There is no production to compare",
        "Cannot tell wind from turbine: there is no production.",
        "Hours with model data",
        "Place not known",
        "Hub height not known",
        "Training window not known",
        "are not ready",
        "Indices: source not stated",
      ]
    ) assertStringIncludes(words, text);
    assertEquals(page.match(/<figure /g)?.length, 1);
    assert(!page.includes("Hours compared")); // and no verdicts without production
  });

  it("shows no month after its own", async () => {
    const { "turbines/T1.html": page } = await buildReport([turbine()], { month: "2023-05" });
    assert(!/June 2023|July 2023|December 2023 had/.test(extractText(page)));
    assertStringIncludes(page, "to May 2023");
    assert(!page.includes("to December 2023"));
  });

  it("marks months with few compared hours", async () => {
    const { details, indices, comparison } = turbine();
    const partly = comparison!.withColumns(
      pl.lit(0.5).alias("completeness"),
      pl.lit(372).alias("hours"),
    );
    const page =
      (await buildReport([{ details, indices, comparison: partly }]))["turbines/T1.html"];
    const words = extractText(page);
    assertStringIncludes(
      words,
      "Cannot tell wind from turbine: only 50.0 % of the hours are compared.",
    );
    assertStringIncludes(words, "535.7 MWh produced in 50.0 % of the hours");
    assertStringIncludes(words, "predicts, in the 50.0 % of the hours with both energies.");
    assertStringIncludes(
      words,
      "December 2023 535.7 528.0 +35.9 – – −28.2 cannot be told 106.8 50.0 %",
    );
  });
});

describe("the production on a page", () => {
  it("covers the month if months were compared, even if the prediction is incomplete", async () => {
    const { details, indices, comparison } = turbine();
    const nearly = comparison!.withColumn(pl.lit(0.985).alias("completeness"));
    const page =
      (await buildReport([{ details, indices, comparison: nearly }]))["turbines/T1.html"];
    const words = extractText(page);
    assertStringIncludes(
      words,
      "The turbine produced 95.0 % of the 563.9 MWh that the model predicts.",
    );
    assertStringIncludes(words, "535.7 MWh produced, 7.7 MWh (1.5 %) more than");
    assert(!words.includes("98.5 % of the hours"), words);
  });

  it("comes with its number of hours, in each table without other hours", async () => {
    const partly = (id: string) => {
      const report = turbine({ turbine_id: id, name: id });
      const hours = [pl.lit(0.5).alias("completeness"), pl.lit(372).alias("hours")];
      return { ...report, comparison: report.comparison!.withColumns(...hours) };
    };
    const files = await buildReport([partly("A"), partly("B")]);
    const words = extractText(files["index.html"]);
    for (const name of ["A", "B"]) {
      assertStringIncludes(words, `${name} 535.7 528.0 +35.9 – – −28.2 cannot be told 50.0 %`);
    }
    assertStringIncludes(words, "Sum of 2 turbines 1,071.4 1,056.0 +71.8 – – −56.4 cannot be told");
    assertStringIncludes(files["index.md"], "| cannot be told | 50.0 % |");
    assertStringIncludes(files["turbines/A.md"], "| cannot be told | 106.8 | 50.0 % |");
    // Half a month is not enough to say which turbine needs a check.
    assert(!/[AB]: It was/.test(words));
    assertEquals(JSON.parse(files["turbines/A.json"]).figures.compared.hours, 372);
  });

  it("is mentioned if it was given but cannot be compared", async () => {
    const { details, indices, comparison } = turbine();
    const reason = "the production covers 2010-01 to 2010-12";
    const none = await buildReport([{ details, indices, noComparison: reason }]);
    for (const name of ["turbines/T1.html", "turbines/T1.md"]) {
      const text = extractText(none[name]).replaceAll("\\", "");
      assertStringIncludes(text, `Cannot compare the production: ${reason}.`);
    }
    const early = comparison!.filter(pl.col("month").lt(pl.lit(new Date("2022-03-01"))));
    const earlier = await buildReport([{ details, indices, comparison: early }], {
      month: "2023-11",
    });
    for (const [files, why] of [[none, reason], [earlier, "there is no production"]] as const) {
      for (const name of ["index.html", "turbines/T1.html"]) {
        const words = extractText(files[name]);
        assert(!words.includes("There is no production to compare"), words);
        assertStringIncludes(words, `Cannot tell wind from turbine: ${why}.`);
      }
    }
  });
});

describe("the page of a fleet", () => {
  it("begins with the verdict in sentences, then figures, the losses of each turbine, turbines, map and definitions", async () => {
    const turbines = [
      turbine({ turbine_id: "A", name: "Alpha" }),
      turbine({ turbine_id: "B", name: "Beta", latitude: 55.9 }),
    ];
    // Only the second turbine has another phase in the test's frame.
    const indices = buildIndicesFrame({ turbines: ["A", "B"] });
    const files = await buildReport([
      { ...turbines[0], indices },
      { ...turbines[1], indices },
      {
        turbineId: "C",
        details: buildDetails({ turbine_id: "C", name: "Gamma" }),
        reason: "no <data>",
      },
    ], { fleet: "Northern parks" });
    const page = files["index.html"];
    const words = extractText(page);
    assertStringIncludes(
      words,
      "Wind report, December 2023 Northern parks · 3 turbines · made 2024-02-01",
    );
    assertStringIncludes(
      words,
      "Wind or turbine? As usual. December 2023: 1,071 MWh produced, 60.5 MWh (5.3 %) less than a normal December (1,132 MWh).",
    );
    assert(
      /With the wind of December 2023, 2 of 3 turbines would have produced [\d,.]+ MWh \(90 % interval/
        .test(words),
      words,
    );
    assertStringIncludes(words, "Gamma 0 of 1");
    assertStringIncludes(words, "All turbines 2 of 3");
    assert(/The wind of the fleet was worth [\d.]+ % of a normal December: /.test(words));
    assert(
      /(Alpha|Beta) had the most wind energy, [\d.]+ %, and (Alpha|Beta) the least/.test(words),
    );
    assertStringIncludes(
      words,
      "Produced, 2 of 3 turbines 1,071 MWh Against normal, 2 of 3 turbines −5.3 %",
    );
    assertStringIncludes(words, "Predicted production, 2 of 3 turbines 1,057 MWh");
    assertStringIncludes(words, "Sum of 2 turbines 1,071.4 1,131.9 −4.1 – – −56.4 as usual");
    const sections = [...page.matchAll(/<section id="([^"]+)"/g)].map(([, id]) => id);
    assertEquals(sections, [
      "short",
      "verdicts",
      "wind",
      "fleet",
      "without",
      "small",
      "definitions",
    ]);
    assertStringIncludes(words, "The figures of 2 turbines are preliminary and may still change.");
    assertStringIncludes(words, "Without figures: Gamma.");
    assertStringIncludes(words, "Gamma: no <data>".replace("<", "&lt;").replace(">", "&gt;"));
    assertStringIncludes(page, `<a href="turbines/A.html">Alpha</a>`);
    // Each chart is drawn for a wide screen and for a phone.
    assertEquals(page.match(/aria-label="[^"]*Small bar charts/g)?.length, 2);
    assertEquals(page.match(/aria-label="Map\. /g)?.length, 2);
    for (const look of ["months", "place", "small"]) {
      const wide = page.split(`<figure class="${look} wide"><svg`).length;
      assert(wide > 1, look);
      assertEquals(page.split(`<figure class="${look} phone"><svg`).length, wide, look);
    }
    assert(!("turbines/C.html" in files));
  });

  it("distinguishes turbines with the same name by their ids, and names no extremes if all are equal", async () => {
    const indices = buildIndicesFrame({ turbines: ["A", "B"] });
    const files = await buildReport(
      ["A", "B"].map((id) => ({
        details: buildDetails({ turbine_id: id, name: "Mill" }),
        indices,
      })),
    );
    const words = extractText(files["index.html"]);
    assert(/Mill \([AB]\) had the most wind energy, [\d.]+ %, and Mill \([AB]\) the/.test(words));
    const alike = [turbine(), turbine({ turbine_id: "T2" })];
    assert(!/had the most/.test(extractText((await buildReport(alike))["index.html"])));
  });

  it("is sorted by name with numbers as numbers, and says so", async () => {
    const page = (await buildReport(
      ["10", "2", "1"].map((n) => turbine({ turbine_id: `t${n}`, name: `Mill ${n}` })),
    ))["index.html"];
    const [, section] = page.split(`<section id="fleet"`);
    assertEquals(listNames(section), ["Mill 1", "Mill 2", "Mill 10"]);
    assertStringIncludes(extractText(section), "Sorted by name.");
  });

  it("AN7: starts with the turbine that lost the most, in the table, its chart and the sentences", async () => {
    const made = { "Mill 1": 0.9, "Mill 2": 1.2, "Mill 3": 0.5, "Mill 4": 0.8 };
    const turbines = Object.entries(made).map(([name, share]) => {
      const { details, indices } = turbine({ turbine_id: name, name });
      const energy = pl.col("predicted_production").mul(pl.lit(share)).alias("energy");
      const production = indices.select(pl.col("month"), energy);
      return { details, indices, comparison: compareActual(production, indices) };
    });
    const silent = { ...turbine({ turbine_id: "Mill 5", name: "Mill 5" }), comparison: undefined };
    const { "index.html": page, "index.md": text } = await buildReport([
      ...turbines,
      silent as unknown as TurbineReport,
    ]);
    const order = ["Mill 3", "Mill 4", "Mill 1", "Mill 2"];
    const [, section] = page.split(`<section id="verdicts"`);
    assertEquals(listNames(section.split("</section>")[0]), [...order, "Mill 5"]);
    assertEquals(
      [...text.matchAll(/^\| \[(Mill \d)\]/gm)].slice(0, 5).map(([, name]) => name),
      [...order, "Mill 5"],
    );
    assertStringIncludes(text, "4 of 5 turbines have production.");
    const listed = JSON.stringify(
      [...page.matchAll(/<li>(Mill \d): It was/g)].map(([, name]) => name),
    );
    assertEquals(listed, JSON.stringify(order.slice(0, 2)));
    const [, alt] = /aria-label="(Points with intervals[^"]*)"/.exec(page)!;
    assertEquals([...alt.matchAll(/(Mill \d), Rest/g)].map(([, name]) => name), order);
  });

  it("AN7: marks the month in each chart of months, and names it in the others", async () => {
    const files = await buildReport([turbine(), turbine({ turbine_id: "B" })], {
      month: "2023-05",
    });
    const charts = ["index.html", "turbines/T1.html"].flatMap((name) =>
      files[name].match(/<svg .*?<\/svg>/gs)!
    );
    const marks = { "Bar chart.": 1, "Bars show produced": 2, "Small bar charts": 2 };
    const seen = new Map<string, number>();
    for (const chart of charts) {
      const [, alt] = /aria-label="([^"]*)"/.exec(chart)!;
      const kind = Object.keys(marks).find((start) => alt.startsWith(start));
      seen.set(kind ?? "others", (seen.get(kind ?? "others") ?? 0) + 1);
      if (!kind) {
        assertStringIncludes(alt, "May");
        continue;
      }
      // a frame as high as the chart, around the last bar
      const frames = [
        ...chart.matchAll(
          /<path d="M([\d.]+),0h([\d.]+)v\d+h-[\d.]+Z"[^>]*fill-opacity="0" stroke="#1a1a1a"/g,
        ),
      ].map(([, left, width]) => Number(left) + Number(width));
      assertEquals(frames.length, marks[kind as keyof typeof marks], alt);
      const [, right] = /class="background"[^>]* d="M0,0h(\d{2,})v/.exec(chart)!;
      for (const end of frames) {
        assert(end <= Number(right) && end > 0.85 * Number(right), `${end} of ${right}`);
      }
    }
    assertEquals(Object.fromEntries(seen), {
      "Bar chart.": 3, // fleet (wide and for a phone) and turbine
      "Bars show produced": 1,
      "Small bar charts": 2,
      others: 5,
    });
  });

  describe("of many turbines", () => {
    let files: Record<string, string>;
    beforeAll(async () => {
      const [first, ...others] = fleet(21, "own", 7);
      const gone = { turbineId: "W1", details: first.details, reason: "not ready" };
      files = await buildReport([gone, ...others]);
    });

    it("groups them by park, with the index of the park's energy", () => {
      const page = files["index.html"];
      const parks = page.matchAll(/<tr class="park" id="park-\d"><th scope="row">([^<]+)/g);
      assertEquals([...parks].map(([, name]) => name), ["Park A", "Park B", "Park C"]);
      assertStringIncludes(extractText(page), "Sorted by park and name.");
      assertStringIncludes(page, `<th scope="row"><a href="#park-2">Park B</a></th><td>7</td>`);
    });

    it("says how many of its turbines are in the figures of a park", () => {
      const { "index.html": page, "index.md": text } = files;
      assertStringIncludes(page, `<a href="#park-1">Park A</a></th><td>6 of 7</td>`);
      assertStringIncludes(page, `<a href="#park-2">Park B</a></th><td>7</td>`);
      assertStringIncludes(text, "| **Park A** | 6 of 7 |");
      assertStringIncludes(text, "| **All turbines** | 20 of 21 |");
    });
  });

  it("counts all turbines of a park that is one entry", async () => {
    const { "index.html": page, "index.json": json } = await buildReport([
      turbine({ turbine_id: "A", units: 20 }),
    ]);
    assertStringIncludes(extractText(page), "20 turbines in 1 entry");
    const { figures, turbines: [only] } = JSON.parse(json);
    assertEquals([only.units, figures.predicted_production], [
      20,
      only.figures.predicted_production,
    ]);
    assertEquals(only.figures.verdict.produced, figures.verdict.produced);
    assertAlmostEquals(figures.verdict.produced, 0.95 * figures.predicted_production, 1e-6);
    assertStringIncludes(extractText(page), "Produced 10,714 MWh Against normal 1.5 %");
    assertStringIncludes(extractText(page), "The figures of 20 turbines are preliminary");
    assertEquals([figures.turbines, figures.units, figures.units_measured], [1, 20, 20]);
  });

  it("says which indices do not cover all turbines", async () => {
    const young = turbine({ turbine_id: "B", name: "Beta", units: 3 }, {
      from: "2023-06",
      months: 7,
      gaps: [],
    });
    const files = await buildReport([
      turbine({ turbine_id: "A", name: "Alpha" }, { gaps: [] }),
      young,
    ]);
    assertStringIncludes(
      extractText(files["index.html"]),
      "Some turbines lack figures: the last 12 months index covers 1 turbine and the last full year index covers 1 turbine.",
    );
    assertEquals(JSON.parse(files["index.json"]).figures.units_with, {
      last12_month_index: 1,
      last_full_quarter_index: 4,
      last_full_year_index: 1,
    });
  });

  it("V3: adds up: the rows of entries and of parks have the units and energies of the total", async () => {
    const files = await buildReport([
      turbine({ turbine_id: "P", name: "Big park", units: 20 }),
      { turbineId: "X", details: buildDetails({ turbine_id: "X", units: 3 }), reason: "not ready" },
      ...fleet(21),
      turbine({ turbine_id: "Q", name: "Alone" }),
    ]);
    const page = files["index.html"];
    const number = (text: string) => Number(text.replaceAll(",", ""));
    /** Turbines with figures, all turbines, and the predicted energy with its interval, in the rows of a table. */
    const rowsOf = (table: string, form: RegExp) =>
      [...table.matchAll(form)].map(([row]) => {
        const cells = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell]) =>
          cell.replace(/<[^>]*>/g, "")
        );
        const [known, all = known] = cells[0].split(" of ");
        const interval = cells.findIndex((cell) => cell.includes(" to "));
        if (interval === -1) return [known, all, 0, 0, 0].map(Number);
        const ends = cells[interval].split(" to ");
        return [known, all, cells[interval - 1], ...ends].map((text) => number(String(text)));
      });
    const sum = (rows: number[][]) =>
      rows[0].map((_, i) => rows.reduce((all, row) => all + row[i], 0));
    const tableOf = (name: string) =>
      new RegExp(`<div class="box ${name}".*?</table>`, "s").exec(page)![0];
    for (const table of ["parks", "turbines"].map(tableOf)) {
      const [total] = rowsOf(table, /<tr class="sum">.*?<\/tr>/gs);
      assertEquals(total.slice(0, 2), [42, 45]);
      const rows = rowsOf(table, /<tr><th scope="row">.*?<\/tr>/gs);
      sum(rows).forEach((value, i) => {
        const rounding = i < 2 ? 1e-9 : 0.05 * (rows.length + 1);
        assert(Math.abs(value - total[i]) <= rounding, `column ${i}: ${value}, not ${total[i]}`);
      });
    }
    const verdicts = [
      ...tableOf("verdicts").matchAll(/<tr( class="sum")?><th scope="row".*?<\/tr>/gs),
    ]
      .map(([row]) =>
        [...row.matchAll(/<td>(.*?)<\/td>/gs)].slice(0, 6).map(([, cell]) =>
          Number(cell.replace(/<[^>]*>|,/g, "").replace("−", "-")) || 0
        )
      );
    assertEquals(verdicts.length, 23 + 1 + 1); // measured ones, their sum, and the one without data
    const [total] = verdicts.splice(23, 1);
    sum(verdicts).forEach((value, i) => {
      assert(Math.abs(value - total[i]) <= 0.05 * 25, `column ${i}: ${value}, not ${total[i]}`);
    });
    for (const [produced, ...steps] of [...verdicts, total]) {
      const added = steps.reduce((all, step) => all + step, 0);
      assert(Math.abs(added - produced) <= 0.05 * 6, `${added}, not ${produced}`);
    }
    const { figures, turbines: entries } = JSON.parse(files["index.json"]);
    for (const name of ["predicted_production", "predicted_production_low"]) {
      const all = entries.map((entry: { figures: Record<string, number> | null }) =>
        entry.figures?.[name] ?? 0
      );
      const added = all.reduce((a: number, b: number) => a + b, 0);
      assert(Math.abs(added - figures[name]) < 1e-6, name);
    }
    assertStringIncludes(extractText(page), "45 turbines in 24 entries");
    assertStringIncludes(extractText(page), "42 of 45 turbines would have produced");
  });

  it("V2: leads with the month against its season, in every form and place", async () => {
    const files = await buildReport([turbine(), turbine({ turbine_id: "B" })]);
    for (const name of ["index.html", "turbines/B.html"]) {
      const words = extractText(files[name]);
      const [first, second] = ["Month abnormality index", "Month index"].map((label) =>
        words.indexOf(label)
      );
      assert(first !== -1 && (second === -1 || first < second), name);
    }
    assert(/^\| Turbine \| Turbines \| Month abnormality index/m.test(files["index.md"]));
    assert(/^\| Figure .*\n.*\n\| Month abnormality index/m.test(files["turbines/B.md"]));
    assertEquals(
      Object.keys(JSON.parse(files["turbines/B.json"]).sentences)[0],
      "month_abnormality_index",
    );
  });

  it("explains each strip", async () => {
    const page = (await buildReport([turbine({}, { gaps: [20] })]))["index.html"];
    const strip = /<td class="strip"><span role="img" aria-label="([^"]+)">(.*?)<\/span>/s.exec(
      page,
    )!;
    assert(
      /^Lowest [\d.]+ % in \w+ 2023, highest [\d.]+ % in \w+ 2023, 1 month without data$/
        .test(strip[1]),
      strip[1],
    );
    assertEquals(strip[2].match(/<i class=/g)?.length, 12);
    assertEquals(strip[2].match(/<i class="n">/g)?.length, 1);
    assertEquals(strip[2].match(/ p">/g)?.length, 3);
  });

  it("says that no turbine has figures", async () => {
    const words = extractText(
      (await buildReport([{ turbineId: "X", reason: "not ready" }]))["index.html"],
    );
    assertStringIncludes(words, "No turbine has figures for December 2023.");
    assertStringIncludes(words, "The positions of the turbines are unknown.");
  });
});

describe("every page", () => {
  let files: Record<string, string>;
  beforeAll(async () => {
    files = await buildReport(fleet(3));
  });

  it("is one file that needs no network and no script", () => {
    for (const [name, page] of Object.entries(files)) {
      if (!name.endsWith(".html")) continue;
      assert(page.startsWith("<!doctype html>"));
      assertStringIncludes(page, `<html lang="en">`);
      assertStringIncludes(
        page,
        `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:;`,
      );
      assertEquals(page.match(/<script|<link|<img|\son\w+=|url\(|@import|\ssrc=/g), null);
      assertEquals(page.match(/https?:\/\/(?!www\.w3\.org\/)/g), null);
    }
  });

  it("has headings in order and unique ids", () => {
    for (const [name, page] of Object.entries(files)) {
      if (!name.endsWith(".html")) continue;
      const levels = [...page.matchAll(/<h(\d)/g)].map((match) => Number(match[1]));
      assertEquals(levels.filter((level) => level === 1).length, 1);
      levels.forEach((level, i) => assert(i === 0 || level <= levels[i - 1] + 1));
      const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map((match) => match[1]);
      assertEquals(ids.length, new Set(ids).size, name);
    }
  });

  it("links only to files of the report", () => {
    for (const [name, content] of Object.entries(files)) {
      const links = name.endsWith(".html")
        ? content.matchAll(/href="([^"]+)"/g)
        : name.endsWith(".md")
        ? content.matchAll(/\]\(([^)]+)\)/g)
        : [];
      for (const [, address] of links) {
        const { pathname, hash } = new URL(address, `file:///${name}`);
        assert(decodeURIComponent(pathname.slice(1)) in files, `${name} leads to ${address}`);
        if (hash) assertStringIncludes(content, `id="${hash.slice(1)}"`);
      }
    }
  });
});

describe("every file", () => {
  it("says SYNTHETIC for the sample, in each form and each chart", async () => {
    const files = await buildReport(fleet(2, "sample"));
    assertEquals(Object.keys(files).length, 9);
    for (const [name, content] of Object.entries(files)) {
      assertStringIncludes(content, "SYNTHETIC: invented figures from the built-in sample", name);
      for (const chart of content.match(/<svg .*?<\/svg>/gs) ?? []) {
        assertStringIncludes(chart, ">SYNTHETIC: invented"); // the rest may be a line of its own
      }
    }
  });

  it("says SYNTHETIC if only a frame or only the options say so", async () => {
    const mixed = await buildReport([
      turbine({ turbine_id: "real" }),
      turbine({ turbine_id: "invented" }, { world: "sample" }),
    ]);
    assert(!mixed["turbines/real.html"].includes("SYNTHETIC"));
    for (const name of ["turbines/invented.md", "index.html", "index.md", "index.json"]) {
      assertStringIncludes(mixed[name], "SYNTHETIC:", name);
    }
    for (const content of Object.values(await buildReport([turbine()], { world: "sample" }))) {
      assertStringIncludes(content, "SYNTHETIC:");
      for (const chart of content.match(/<svg .*?<\/svg>/gs) ?? []) {
        assertStringIncludes(chart, "SYNTHETIC");
      }
    }
  });

  it("is the same for the same input", async () => {
    assertEquals(await buildReport(fleet(3)), await buildReport(fleet(3)));
  });
});

describe("fleetReport()", () => {
  it("accepts turbines one by one, and keeps none of their frames", async () => {
    const fetched: string[] = [];
    async function* slowly() {
      for (const report of fleet(4)) {
        fetched.push(report.details.turbine_id);
        yield await Promise.resolve(report);
      }
    }
    const files = fleetReport(slowly(), { month: MONTH });
    assertEquals((await files.next()).value!.name, "turbines/W1.html");
    assertEquals(fetched, ["W1"]);
    await files.return(undefined);
  });

  it("picks the rows of each turbine", async () => {
    const indices = buildIndicesFrame({ turbines: ["T1", "T2"] });
    const parts = ["T1", "T2"].map((id) => ({
      details: buildDetails({ turbine_id: id, name: id }),
      indices,
    }));
    const files = await buildReport(parts);
    const [one, other] = ["T1", "T2"].map((id) => JSON.parse(files[`turbines/${id}.json`]).figures);
    assert(one.month_index !== other.month_index);
    assertEquals(one.month_index, indices.getColumn("month_index").toArray()[23]);
  });

  it("refuses input that it cannot report on, and says what to give", async () => {
    const rejects = (turbines: readonly TurbineReport[], text: string, month = MONTH) =>
      assertRejects(() => buildReport(turbines, { month }), ArgumentError, text);
    await rejects([], "the list of turbines is empty. Give at least one");
    await rejects([turbine(), turbine()], `"T1": the list contains this turbine twice`);
    await assertRejects(
      () => buildReport([turbine()], { month: MONTH, generatedAt: "yesterday" }),
      ArgumentError,
      'generatedAt is "yesterday", not a timestamp with a time zone. Give a timestamp such as "2026-01-05T10:00:00Z"',
    );
    await rejects(
      [{ details: buildDetails(), indices: pl.DataFrame({ month: [1] }) }],
      "lack the columns",
    );
    await rejects(
      [{ details: buildDetails({ turbine_id: "T3" }), indices: buildIndicesFrame() }],
      "have no row of this turbine",
    );
    await rejects([turbine()], "2023-13 has no month", "2023-13");
  });
});
