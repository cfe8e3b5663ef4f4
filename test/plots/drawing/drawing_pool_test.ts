import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Chart } from "../../../src/plots/drawing/chart.ts";
import { DrawingPool } from "../../../src/plots/drawing/drawing_pool.ts";
import { plotMonthlyIndices } from "../../../src/plots/monthly_indices.ts";
import { buildIndicesFrame } from "../_frames.ts";

const charts = [3, 7, 11].map((gap) => plotMonthlyIndices(buildIndicesFrame({ gaps: [gap] })));

/** A chart for which Vega prints a warning. */
const wrong = new Chart({
  description: "wrong",
  data: { values: [{ a: 1 }] },
  mark: "bar",
  encoding: { nosuch: { field: "a", type: "nominal" } },
});

describe("DrawingPool", () => {
  it("draws what a chart draws itself, in this thread and in workers, in the order of the calls", async () => {
    const alone = await Promise.all(charts.map((chart) => chart.svg()));
    using here = new DrawingPool({ workers: 0 });
    assertEquals(await Promise.all(charts.map((chart) => here.svg(chart))), alone);
    using workers = new DrawingPool({ workers: 2, inlineCharts: 1 });
    assertEquals(await Promise.all(charts.map((chart) => workers.svg(chart))), alone);
  });

  it("reports a chart that cannot be drawn, and draws the others", async () => {
    using pool = new DrawingPool({ workers: 1, inlineCharts: 0 });
    const good = pool.svg(charts[0]);
    await assertRejects(() => pool.svg(wrong), Error, "Cannot draw the chart");
    assertEquals(await good, await charts[0].svg());
    assertEquals(await pool.svg(charts[1]), await charts[1].svg());
  });

  it("starts no worker for few charts", async () => {
    const started: unknown[] = [];
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      constructor(...given: ConstructorParameters<typeof Worker>) {
        super(...given);
        started.push(given);
      }
    };
    try {
      using pool = new DrawingPool({ workers: 2, inlineCharts: 2 });
      await pool.svg(charts[0]);
      await pool.svg(charts[1]);
      assertEquals(started.length, 0);
      await pool.svg(charts[2]);
      assertEquals(started.length, 2);
    } finally {
      globalThis.Worker = Real;
    }
  });

  it("draws in its own thread if no worker can be started", async () => {
    const Real = globalThis.Worker;
    globalThis.Worker = class extends Real {
      constructor(_: string | URL, options?: WorkerOptions) {
        super("data:text/javascript,throw new Error('no worker here')", options);
      }
    };
    try {
      using pool = new DrawingPool({ workers: 2, inlineCharts: 0 });
      const drawn = await Promise.all(charts.map((chart) => pool.svg(chart)));
      assertEquals(drawn, await Promise.all(charts.map((chart) => chart.svg())));
    } finally {
      globalThis.Worker = Real;
    }
  });

  it("states how many charts to draw at the same time", () => {
    using here = new DrawingPool({ workers: 0 });
    using two = new DrawingPool({ workers: 2 });
    assert(here.width === 1 && two.width === 5);
  });
});
