import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError, NoDataError } from "../../../src/api/errors.ts";
import { monthlyIndices } from "../../../src/client/calls/monthly_indices.ts";
import { PartialError } from "../../../src/client/answers/join_frames.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { readColumn, typesOf } from "../_frames.ts";
import { type Handler, withServer } from "../_local_server.ts";

const HEADER =
  "year,month,month_index,month_abnormality_index,last12_month_index,last_full_quarter_index,last_full_year_index,predicted_production,status,completeness,revision,predicted_production_low,predicted_production_high";

/** The answer with a row for each of these months; its index is year + month / 100. */
function answerMonths(...months: string[]): Response {
  const rows = months.map((month) => {
    const [year, number] = month.split("-").map(Number);
    return [year, number, year + number / 100, 1, 2, 3, 4, 5.5, "final", 1, 2, 5, 6.25].join(",");
  });
  return new Response([HEADER, ...rows, ""].join("\n"), {
    headers: { "content-type": "text/csv" },
  });
}

/** Turbine of a request. */
const turbineOf = (request: Request) => new URL(request.url).pathname.split("/").at(-1)!;

function readMonths(frame: DataFrame): string[] {
  return readColumn<number>(frame.select(pl.col("month").cast(pl.Int32)), "month").map((days) =>
    Temporal.PlainDate.from("1970-01-01").add({ days }).toString()
  );
}

const TYPES = [
  "String",
  "Date",
  ...Array(6).fill("Float64"),
  "String",
  "Float64",
  "Int32",
  "Float64",
  "Float64",
];
const NAMES = ["turbine_id", "month", ...HEADER.split(",").slice(2)];

describe("monthlyIndices()", () => {
  it("includes both months, and the months between", async () => {
    const answer = () => answerMonths("2021-12", "2022-01", "2022-02", "2022-03", "2022-04");
    await withServer(answer, async ({ connection, seen }) => {
      const frame = await monthlyIndices("T1", { from: "2022-01", to: "2022-03", connection });
      assertEquals(readMonths(frame), ["2022-01-01", "2022-02-01", "2022-03-01"]);
      assertEquals(readColumn(frame, "month_index"), [2022.01, 2022.02, 2022.03]);
      assertEquals(readColumn(frame, "turbine_id"), ["T1", "T1", "T1"]);
      assertEquals(seen.map(({ path }) => path), ["/wind-index/calibrated/wind_indices/T1"]);
    });
  });

  it("has its declared columns and types", async () => {
    await withServer(() => answerMonths("2022-01"), async ({ connection }) => {
      const frame = await monthlyIndices("T1", { connection });
      assertEquals(frame.columns, NAMES);
      assertEquals(typesOf(frame), TYPES);
      assertEquals(readColumn(frame, "revision"), [2]);
      assertEquals(readColumn(frame, "status"), ["final"]);
      assertEquals(readColumn(frame, "predicted_production_low"), [5]);
      assertEquals(readColumn(frame, "predicted_production_high"), [6.25]);
    });
  });

  it("returns all months without from and to", async () => {
    await withServer(
      () => answerMonths("2022-11", "2022-12", "2023-01"),
      async ({ connection }) => {
        assertEquals(readMonths(await monthlyIndices("T1", { connection })), [
          "2022-11-01",
          "2022-12-01",
          "2023-01-01",
        ]);
      },
    );
  });

  it("accepts from or to alone", async () => {
    await withServer(
      () => answerMonths("2022-11", "2022-12", "2023-01"),
      async ({ connection }) => {
        const late = await monthlyIndices("T1", { from: "2022-12", connection });
        assertEquals(readMonths(late), ["2022-12-01", "2023-01-01"]);
        const early = await monthlyIndices("T1", { to: "2022-11", connection });
        assertEquals(readMonths(early), ["2022-11-01"]);
      },
    );
  });

  it("keeps months without data as rows of nulls: in between, before and after", async () => {
    await withServer(() => answerMonths("2022-02", "2022-04"), async ({ connection }) => {
      const frame = await monthlyIndices("T1", { from: "2022-01", to: "2022-05", connection });
      assertEquals(readColumn(frame, "month_index"), [null, 2022.02, null, 2022.04, null]);
      for (const name of NAMES.slice(2)) {
        const values = readColumn(frame, name);
        assertEquals([values[0], values[2], values[4]], [null, null, null], name);
      }
      assertEquals(readColumn(frame, "turbine_id"), Array(5).fill("T1"));
    });
  });

  it("fills a month that the service leaves out, even without from and to", async () => {
    await withServer(() => answerMonths("2022-02", "2022-04"), async ({ connection }) => {
      assertEquals((await monthlyIndices("T1", { connection })).height, 3);
    });
  });

  it("puts months in order, whatever the order of the service", async () => {
    await withServer(
      () => answerMonths("2022-03", "2022-01", "2022-02"),
      async ({ connection }) => {
        const frame = await monthlyIndices("T1", { connection });
        assertEquals(readColumn(frame, "month_index"), [2022.01, 2022.02, 2022.03]);
      },
    );
  });

  it("returns several turbines in the requested order, even if the first answers last", async () => {
    let release = () => {};
    const others = new Promise<void>((resolve) => release = resolve);
    const handler: Handler = async (request) => {
      if (turbineOf(request) === "C") await others;
      if (turbineOf(request) === "B") release();
      return answerMonths("2022-01", "2022-02");
    };
    await withServer(handler, async ({ connection, seen }) => {
      const frame = await monthlyIndices(["C", "A", "B"], { connection });
      assertEquals(readColumn(frame, "turbine_id"), ["C", "C", "A", "A", "B", "B"]);
      assertEquals(seen.length, 3);
    });
  });

  it("sends no more requests at the same time than the connection allows", async () => {
    let open = 0;
    let most = 0;
    let full = Promise.withResolvers<void>();
    const handler: Handler = async () => {
      most = Math.max(most, ++open);
      if (open === 3) full.resolve(); // three wait for each other, so three must be under way
      await full.promise;
      if (--open === 0) full = Promise.withResolvers();
      return answerMonths("2022-01");
    };
    await withServer(handler, async ({ connection }) => {
      const ids = Array.from({ length: 12 }, (_, i) => `T${i}`);
      assertEquals((await monthlyIndices(ids, { connection })).height, 12);
      assertEquals(most, 3);
    }, { concurrency: 3 });
  });

  it("gives each turbine its own months", async () => {
    const handler: Handler = (request) =>
      turbineOf(request) === "A" ? answerMonths("2022-01") : answerMonths("2023-01", "2023-02");
    await withServer(handler, async ({ connection }) => {
      const frame = await monthlyIndices(["A", "B"], { connection });
      assertEquals(readMonths(frame), ["2022-01-01", "2023-01-01", "2023-02-01"]);
    });
  });

  it("reports which turbine failed, and keeps the others", async () => {
    const handler: Handler = (request) =>
      turbineOf(request) === "B" ? new Response(null, { status: 400 }) : answerMonths("2022-01");
    await withServer(handler, async ({ connection }) => {
      const error = await assertRejects(
        () => monthlyIndices(["A", "B"], { connection }),
        PartialError,
      );
      assertEquals(error.failures.map(({ turbineId }) => turbineId), ["B"]);
      assert(error.failures[0].error instanceof NoDataError);
      assertEquals(error.frame!.getColumn("turbine_id").toArray(), ["A"]);
    });
  });

  it("is typed even if it is empty", async () => {
    await withServer(() => answerMonths(), async ({ connection }) => {
      const frame = await monthlyIndices("T1", { connection });
      assertEquals([frame.height, frame.columns], [0, NAMES]);
      assertEquals(typesOf(frame), TYPES);
    });
    await withServer(() => answerMonths("2022-01"), async ({ connection }) => {
      const later = await monthlyIndices(["A", "B"], { from: "2023-01", connection });
      assertEquals([later.height, typesOf(later)], [0, TYPES]);
    });
  });

  it("has a row for each requested month, even if the service has none", async () => {
    await withServer(() => answerMonths(), async ({ connection }) => {
      const frame = await monthlyIndices("T1", { from: "2022-01", to: "2022-12", connection });
      assertEquals(frame.height, 12);
      assertEquals(frame.getColumn("month_index").nullCount(), 12);
    });
  });

  it("accepts a service without status, completeness, revision and interval", async () => {
    const text = HEADER.split(",").slice(0, 8).join(",") + "\n2022,1,1,2,3,4,5,6\n";
    await withServer(() => new Response(text), async ({ connection }) => {
      const frame = await monthlyIndices("T1", { connection });
      assertEquals(typesOf(frame), TYPES);
      for (const name of NAMES.slice(8)) assertEquals(frame.getColumn(name).nullCount(), 1, name);
    });
  });

  it("has nulls for months without an interval", async () => {
    const text = `${HEADER}\n2022,1,1,2,3,4,5,6,final,1,1,,\n2022,2,1,2,3,4,5,6,final,1,1,5,7\n`;
    await withServer(() => new Response(text), async ({ connection }) => {
      const frame = await monthlyIndices("T1", { connection });
      assertEquals(readColumn(frame, "predicted_production_low"), [null, 5]);
      assertEquals(readColumn(frame, "predicted_production_high"), [null, 7]);
    });
  });

  it("has its provenance: all bodies, the parameters, each attribution once", async () => {
    const handler: Handler = (request) => {
      const response = answerMonths("2022-01");
      const ownAttribution = `Data of ${turbineOf(request)}, 2024`;
      const lines = ["Everybody: 100 %", ownAttribution].map(encodeURIComponent).join(",");
      response.headers.set("vindkit-attribution", lines);
      return response;
    };
    await withServer(handler, async ({ connection }) => {
      const frame = await monthlyIndices(["A", "B"], { from: "2022-01", connection });
      const { operation, parameters, sha256, attribution, world } = provenance(frame)[0];
      assertEquals([operation, world], ["wind_indices", "live"]);
      assertEquals(parameters, { turbine_id: "A, B", from: "2022-01" });
      assertEquals(sha256.length, 2);
      assertEquals(attribution, ["Everybody: 100 %", "Data of A, 2024", "Data of B, 2024"]);
    });
  });

  for (
    const [label, ids, options] of [
      ["no turbine", [], {}],
      ["an empty identifier", [""], {}],
      ["month 13", "T1", { from: "2022-13" }],
      ["a year of two digits", "T1", { to: "22-01" }],
      ["a from after the to", "T1", { from: "2022-02", to: "2022-01" }],
    ] as const
  ) {
    it(`F37 refuses ${label} before anything is sent`, async () => {
      await withServer(() => answerMonths("2022-01"), async ({ connection, seen }) => {
        const call = () => monthlyIndices(ids, { ...options, connection });
        await assertRejects(call, ArgumentError);
        assertEquals(seen.length, 0);
      });
    });
  }

  it("refuses one bad identifier among good ones before anything is sent", async () => {
    await withServer(() => answerMonths("2022-01"), async ({ connection, seen }) => {
      await assertRejects(() => monthlyIndices(["A", ".."], { connection }), ArgumentError);
      assertEquals(seen.length, 0);
    });
  });
});
