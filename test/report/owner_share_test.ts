/** The share of an owner next to the whole fleet, in pages and data of a report. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { beforeAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, exampleFile, readProduction } from "../../mod.ts";
import { makeFleetReport } from "../../src/report/mod.ts";

const ownership = new Map([
  ["T1", [{ owner: "A. Hansen", percent: 25 }, { owner: "B. Jensen", percent: 75 }]],
  // A park of twenty turbines, from the middle of June 2023 on.
  ["T3", [{ owner: "A. Hansen", percent: 10, from: "2023-06-16" }]],
  ["T5", [{ owner: "B. Jensen", percent: 100 }]],
  ["T8", [{ owner: "A. Hansen", percent: 50 }]],
]);

type Figures = Readonly<Record<string, number>>;

describe("a report with an owner", () => {
  const pages = new Map<string, string>();
  // deno-lint-ignore no-explicit-any -- JSON
  const read = (name: string): any => JSON.parse(pages.get(`${name}.json`)!);

  beforeAll(async () => {
    const file = await exampleFile("production.csv");
    const meter = { resolution: "hour", unit: "kW", time: "time", column: "power" } as const;
    const report = await makeFleetReport(["T1", "T3", "T5", "T8"], {
      month: "2023-12",
      production: new Map([["T1", await readProduction(file, meter)]]),
      share: { owner: "A. Hansen", ownership },
      ...{ price: 450, currency: "DKK" },
    });
    for await (const { name, content } of report) pages.set(name, content);
  });

  it("has each energy of a turbine for the whole and for the share", () => {
    const { months, share } = read("turbines/T1");
    assertEquals([share.owner, share.months.length], ["A. Hansen", months.length]);
    for (const [i, month] of months.entries()) {
      const shared = share.months[i];
      assertEquals([shared.month, shared.share], [month.month, 0.25]);
      assertEquals(shared.month_abnormality_index, month.month_abnormality_index);
      for (const name of ["", "_low", "_high"].map((end) => `predicted_production${end}`)) {
        assertAlmostEquals(shared[name], 0.25 * month[name]);
      }
      assertAlmostEquals(shared.compared.produced, 0.25 * month.compared.produced);
      assertEquals(shared.compared.ratio, month.compared.ratio);
      for (const name of ["produced", "normal", "wind", "stops", "rest"]) {
        assertAlmostEquals(shared.verdict[name], 0.25 * month.verdict[name]);
        assertAlmostEquals(shared.verdict.value[name], 450 * shared.verdict[name], 1e-6);
      }
      assertEquals([shared.verdict.value.currency, shared.verdict.value.priced], ["DKK", 1]);
      assertEquals([shared.verdict.verdict, shared.verdict.causes], [
        month.verdict.verdict,
        month.verdict.causes,
      ]);
    }
    const page = pages.get("turbines/T1.html")!;
    assertStringIncludes(page, "Share of A. Hansen");
    assertEquals(page.match(/at the prices given, in DKK\. This is not a settlement/g)?.length, 4); // with a label each
    assertStringIncludes(page, "; the share produced ");
    assert(!pages.get("turbines/T5.html")!.includes("Share of A. Hansen")); // not owned by them
  });

  it("applies the share to all turbines of an entry, from its first day of ownership", () => {
    const { months, share } = read("turbines/T3");
    const of = (all: Figures[], month: string) =>
      all.find((one) => String(one.month) === month)!.predicted_production;
    const parts = { "2023-05": 0, "2023-06": 15 / 30 * 0.1, "2023-07": 0.1 };
    for (const [month, part] of Object.entries(parts)) {
      assertAlmostEquals(of(share.months, month), 20 * part * of(months, month));
    }
  });

  it("weighs the indices of the fleet by the shares", () => {
    const { figures, share } = read("index");
    const [t1, t3] = ["T1", "T3"].map((id) => read(`turbines/${id}`).figures as Figures);
    const [e1, e3] = [0.25 * t1.predicted_production, 2 * t3.predicted_production];
    assertAlmostEquals(share.figures.predicted_production, e1 + e3);
    const normal = e1 / t1.month_abnormality_index + e3 / t3.month_abnormality_index;
    assertAlmostEquals(share.figures.month_abnormality_index, (e1 + e3) / normal);
    assert(figures.predicted_production > share.figures.predicted_production);
    const produced = (all: { turbines: { turbine_id: string; figures: { verdict: Figures } }[] }) =>
      all.turbines.find((one) => one.turbine_id === "T1")!.figures.verdict.produced;
    assertAlmostEquals(produced(read("index").share), 0.25 * produced(read("index")));
    // A quarter of one turbine has less than half of the energy of two out of twenty others.
    assertEquals([share.figures.verdict.produced, share.figures.units_measured], [null, 1]);
    const page = pages.get("index.md")!;
    const [, section] = page.split("## Share of A. Hansen");
    assertStringIncludes(section, "| 25 % |");
    assertStringIncludes(section, "| 10 % |");
    assertStringIncludes(section.split("##")[0], "| 50 % |"); // owned, but without figures
  });

  it("refuses an owner without turbines, and names the known owners", async () => {
    const report = await makeFleetReport("T1", {
      month: "2023-12",
      share: { owner: "C", ownership },
    });
    await assertRejects(
      () => Array.fromAsync(report),
      ArgumentError,
      'Use one of "A. Hansen", "B. Jensen"',
    );
  });
});
