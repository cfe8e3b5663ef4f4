import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Chart } from "../../src/plots/drawing/chart.ts";
import { plotMonthlyIndices } from "../../src/plots/index/monthly_indices.ts";
import { DrawingThread } from "../../src/report/writers/drawing_thread.ts";
import { buildIndicesFrame } from "../plots/_frames.ts";

const charts = [3, 7, 11].map((gap) => plotMonthlyIndices(buildIndicesFrame({ gaps: [gap] })));

/** A chart that makes Vega print a warning. */
const wrong = new Chart({
  description: "wrong",
  data: { values: [{ a: 1 }] },
  mark: "bar",
  encoding: { nosuch: { field: "a", type: "nominal" } },
});

describe("DrawingThread", () => {
  const drawAlone = () => Promise.all(charts.map((chart) => chart.svg()));

  it("draws the same as the chart itself, and the first ones in the calling thread", async () => {
    using thread = new DrawingThread(1);
    assertEquals(await Promise.all(charts.map((chart) => thread.svg(chart))), await drawAlone());
  });

  it("rejects a chart that cannot be drawn, and draws the others", async () => {
    using thread = new DrawingThread(0);
    const good = thread.svg(charts[0]);
    await assertRejects(() => thread.svg(wrong), Error, "Cannot draw the chart");
    assertEquals(await good, await charts[0].svg());
  });

  it("draws in the calling thread if no other can be started", async () => {
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      constructor(_: string | URL, options?: WorkerOptions) {
        super("data:text/javascript,throw new Error('no worker here')", options);
      }
    };
    try {
      using thread = new DrawingThread(0);
      assertEquals(await Promise.all(charts.map((chart) => thread.svg(chart))), await drawAlone());
      assertEquals(await thread.svg(charts[0]), await charts[0].svg());
    } finally {
      globalThis.Worker = Real;
    }
  });
});
