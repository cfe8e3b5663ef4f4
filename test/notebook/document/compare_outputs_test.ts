import { assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import type { World } from "../../../src/api/world.ts";
import { buildOrderCard } from "../../../src/client/orders/climate_order.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import {
  compareOutputs,
  differenceText,
  maskFetchStamps,
  withKeptOutputs,
} from "../../../src/notebook/document/compare_outputs.ts";
import {
  type NotebookDocument,
  type Output,
  readNotebook,
} from "../../../src/notebook/document/notebook_document.ts";
import { plotPowerCurve } from "../../../src/plots/hours/power_curve.ts";
import { buildCardBundle } from "../../../src/show/card.ts";
import { table } from "../../../src/show/table/table.ts";
import { buildDetails } from "../../plots/_frames.ts";
import { notebookText } from "../_folder.ts";

function notebook(...outputs: Output[]): NotebookDocument {
  const { cells, metadata } = readNotebook(notebookText(["1"]), "n.ipynb");
  return { metadata, cells: [{ ...cells[0], outputs, executionCount: 1 }] };
}

const stream = (text: string): Output => ({ output_type: "stream", name: "stdout", text });
const result = (data: Record<string, unknown>): Output => ({
  output_type: "execute_result",
  data,
  metadata: {},
  execution_count: 1,
});

function buildFrame(world: World, fetchedAt: string, sha256 = "0".repeat(64)) {
  const frame = pl.DataFrame({ wind_speed: [0, 4, 12], power: [0, 100, 2000] });
  return describeFrame(frame, [], {
    operation: "model_data",
    parameters: {},
    fetchedAt,
    sha256: [sha256],
    world,
    attribution: ["An attribution of 2021-03-04"],
  });
}

describe("maskFetchStamps()", () => {
  const [first, second] = ["2026-11-21T18:20:01Z", "2027-01-02T03:04:05Z"];
  for (const world of ["sample", "own", "live"] as const) {
    it(`makes tables of the world ${world} equal for all fetch times`, () => {
      for (const show of ["html", "text"] as const) {
        const [a, b] = [first, second].map((at) => table(buildFrame(world, at))[show]());
        assertNotEquals(a, b);
        assertEquals(maskFetchStamps(a), maskFetchStamps(b));
        const other = table(buildFrame(world, second, "1".repeat(64)))[show]();
        assertNotEquals(maskFetchStamps(a), maskFetchStamps(other));
        assertEquals(maskFetchStamps(a).includes("An attribution of 2021-03-04"), true);
      }
    });

    it(`does the same for charts of the world ${world}, their data and their SVG`, async () => {
      const charts = [first, second].map((at) =>
        plotPowerCurve(buildDetails(), { source: buildFrame(world, at) })
      );
      const specs = charts.map(({ spec }) => JSON.stringify(spec, null, 1));
      const pictures = await Promise.all(charts.map((chart) => chart.svg()));
      for (const [a, b] of [specs, pictures]) {
        assertNotEquals(a, b);
        assertEquals(maskFetchStamps(a), maskFetchStamps(b));
      }
    });
  }

  it("makes cards of orders equal for all times of sending", () => {
    const entry = {
      entry: 1,
      place: "sample",
      parameters: { service_id: "era5", lat: 55.6, lon: 7.92, start_year: 2015, end_year: 2024 },
      state: "delivered",
      status: "done",
    } as const;
    const cards = [first, second].map((sentAt, i) => {
      const order = { ...entry, orderId: `o-${i}`, sentAt, changedAt: sentAt };
      return buildCardBundle(buildOrderCard("/nowhere", order));
    });
    for (const type of ["text/plain", "text/html"]) {
      const [a, b] = cards.map((bundle) => String((bundle as Record<string, string>)[type]));
      assertNotEquals(a, b);
      assertEquals(maskFetchStamps(a), maskFetchStamps(b));
    }
  });

  it("leaves all other dates unchanged", () => {
    const text = "From 2023-01-01 to 2024-01-01T00:00Z. Source: not stated 2023-01-01";
    assertEquals(maskFetchStamps(text), text);
  });
});

describe("compareOutputs()", () => {
  it("finds no difference if only a PNG, an empty output or the fetch time differs", () => {
    const line = (at: string) => stream(`model_data from own data, ${at}Z, sha256 00\n`);
    const svg = { "image/svg+xml": "<svg/>", "text/plain": "a chart" };
    assertEquals(
      compareOutputs(
        notebook(
          line("2026-11-21T18:20"),
          { output_type: "display_data", data: { "text/html": "" }, metadata: {} },
          result({ ...svg, "image/png": "AAAA" }),
        ),
        notebook(line("2026-11-22T18:20"), result(svg)),
      ),
      [],
    );
  });

  it("finds no difference if the keys of JSON have another order", () => {
    const [a, b] = [{ x: 1, y: { p: [], q: null } }, { y: { q: null, p: [] }, x: 1 }];
    assertEquals(compareOutputs(notebook(result({ a })), notebook(result({ a: b }))), []);
  });

  it("names cell, output, format and position", () => {
    const long = "x".repeat(200);
    const [difference] = compareOutputs(
      notebook(stream("same\n"), result({ "text/plain": `1\n${long}a` })),
      notebook(stream("same\n"), result({ "text/plain": `1\n${long}b` })),
    );
    assertEquals(
      differenceText(difference),
      `cell 1: output 2, text/plain differs
    in the file: …${"x".repeat(30)}a
    in the run:  …${"x".repeat(30)}b`,
    );
  });

  const cases: [string, NotebookDocument, NotebookDocument, string][] = [
    ["an output more", notebook(), notebook(stream("a")), "number of outputs"],
    ["another kind", notebook(stream("a")), notebook(result({ a: "1" })), "output 1, kind"],
    [
      "a format less",
      notebook(result({ a: "1", b: "2" })),
      notebook(result({ a: "1" })),
      "output 1, b",
    ],
    ["a line more", notebook(stream("a")), notebook(stream("a\nb")), "output 1, stdout"],
    ["a line less", notebook(stream("a\nb")), notebook(stream("a")), "output 1, stdout"],
    [
      "data of a chart",
      notebook(result({ j: { a: [1] } })),
      notebook(result({ j: { a: [2] } })),
      "output 1, j",
    ],
  ];
  for (const [name, stored, rerun, what] of cases) {
    it(`finds ${name}`, () =>
      assertEquals(compareOutputs(stored, rerun).map((difference) => difference.what), [what]));
  }
});

describe("withKeptOutputs()", () => {
  it("keeps an unchanged output, and takes a new one", () => {
    const line = (at: string) => stream(`model_data from own data, ${at}Z, sha256 00\n`);
    const stored = notebook(line("2026-11-21T18:20"), stream("1"));
    const rerun = notebook(line("2026-11-22T18:20"), stream("2"));
    assertEquals(withKeptOutputs(stored, rerun).cells[0].outputs, [
      line("2026-11-21T18:20"),
      stream("2"),
    ]);
  });

  it("does not keep a PNG next to an SVG", () => {
    const svg = { "image/svg+xml": "<svg/>" };
    const stored = notebook(result({ ...svg, "image/png": "AAAA" }));
    assertEquals(withKeptOutputs(stored, notebook(result(svg))).cells[0].outputs, [result(svg)]);
  });
});
