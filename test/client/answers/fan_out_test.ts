import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError, LicenceError, NoDataError, VindkitError } from "../../../src/api/errors.ts";
import { checkCall } from "../../../src/api/operations/request_path.ts";
import { fanOut } from "../../../src/client/answers/fan_out.ts";
import { failures, joinRows, PartialError } from "../../../src/client/answers/join_frames.ts";
import { modelData } from "../../../src/client/calls/model_data.ts";
import {
  monthlyIndices,
  type MonthlyIndicesOptions,
} from "../../../src/client/calls/monthly_indices.ts";
import { turbineDetails } from "../../../src/client/calls/turbines.ts";
import { windIndices } from "../../../src/client/calls/wind_indices.ts";
import type { Connection } from "../../../src/client/connection/connection.ts";
import { fetchAnswer } from "../../../src/client/http/fetch_answer.ts";
import { extractEpochs } from "../../../src/frames/frame.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { table } from "../../../src/show/table/table.ts";
import { readColumn, typesOf } from "../_frames.ts";
import { type Handler, neverAnswer, withServer } from "../_local_server.ts";
import {
  answerIndices,
  buildHandler,
  buildSeries,
  HOURS_HEADER,
  INDICES_HEADER,
  turbineOf,
} from "../cache/_world.ts";

const one = { "2024-01": 101 };
const buildIds = (count: number) => Array.from({ length: count }, (_, i) => `T${i}`);

/** Answers with a status for some turbines, else with one month. */
function buildFailingHandler(statuses: Readonly<Record<string, number>>): Handler {
  return (request) => {
    const status = statuses[turbineOf(request)];
    return status ? new Response(null, { status }) : answerIndices(one);
  };
}

/** Each function that takes a list, with a common signature. */
const functions: Readonly<
  Record<string, (ids: readonly string[], options: MonthlyIndicesOptions) => Promise<DataFrame>>
> = { monthlyIndices, windIndices, modelData, turbineDetails };

/** Answers the request of each of these functions. */
const any: Handler = (request, number) => {
  const id = turbineOf(request);
  const hours = { [id]: buildSeries("Europe/Copenhagen", "2024-01-01", "2024-01-02") };
  return buildHandler({ hours, indices: { [id]: one }, details: [id] })(request, number);
};

for (const [name, call] of Object.entries(functions)) {
  describe(`${name}() of several turbines`, () => {
    it("keeps the requested order if answers come in another one", async () => {
      const arrived: (() => void)[] = [];
      const handler: Handler = async (request, number) => {
        await new Promise<void>((resolve) => {
          arrived.push(resolve);
          if (arrived.length === 4) arrived.toReversed().forEach((go) => go());
        });
        return await any(request, number);
      };
      await withServer(handler, async ({ connection }) => {
        const ids = ["D", "B", "A", "C"];
        const frame = await call(ids, { connection });
        assertEquals([...new Set(readColumn(frame, "turbine_id"))], ids);
        assertEquals(frame.columns[0], "turbine_id");
        assertEquals(provenance(frame)[0].sha256.length, 4);
        assertEquals(provenance(frame)[0].parameters.turbine_id, "D, B, A, C");
        assertEquals(failures(frame), []);
      });
    });

    for (
      const [label, ids] of [
        ["an empty list", []],
        ["a turbine twice", ["A", "B", "A"]],
        ["an empty identifier", ["A", ""]],
        ["a path", ["A", ".."]],
        ["a line end", ["A", "B\n"]],
      ] as const
    ) {
      it(`F22 refuses ${label} before anything is sent, whatever onFailure says`, async () => {
        await withServer(any, async ({ connection, seen }) => {
          for (const onFailure of ["throw", "collect"] as const) {
            await assertRejects(() => call(ids, { connection, onFailure }), ArgumentError);
          }
          assertEquals(seen.length, 0);
        });
      });
    }

    it("returns a frame with the turbine for a list of one", async () => {
      await withServer(any, async ({ connection, seen }) => {
        const frame = await call(["A"], { connection });
        assertEquals(new Set(readColumn(frame, "turbine_id")), new Set(["A"]));
        assertEquals(seen.length, 1);
      });
    });

    it("lists the failed turbines below the table", async () => {
      const handler: Handler = (request, number) =>
        turbineOf(request) === "B" ? new Response(null, { status: 401 }) : any(request, number);
      await withServer(handler, async ({ connection }) => {
        const frame = await call(["A", "B"], { connection, onFailure: "collect" });
        assertEquals(failures(frame).map(({ turbineId }) => turbineId), ["B"]);
        assertStringIncludes(String(table(frame)), "1 of 2 turbines failed: B (LicenceError)");
        const error = await assertRejects(() => call(["A", "B"], { connection }), PartialError);
        assert(error.frame!.frameEqual(frame, true));
      });
    });
  });
}

describe("options of a list", () => {
  it("are refused before any request if they are unknown", async () => {
    await withServer(() => Response.json({}), async ({ connection, seen }) => {
      const onFailure = "colect" as "collect";
      for (const call of [monthlyIndices, windIndices, modelData]) {
        await assertRejects(() => call(["A"], { connection, onFailure }), ArgumentError, "colect");
      }
      assertEquals(seen.length, 0);
    });
  });
});

describe("a PartialError", () => {
  it("prints its message, not the frame and the stacks of all failures", () => {
    const failure = {
      turbineId: "B",
      error: new NoDataError("Cannot get B: no data"),
      notReady: false,
    };
    const error = new PartialError([failure, failure], 3, pl.DataFrame({ figure: [123456789] }));
    const printed = Deno.inspect(error);
    assertStringIncludes(printed, "2 of 3 turbines failed: B: Cannot get B: no data");
    assert(!printed.includes("123456789") && printed.split("\n").length < 20, printed);
    assertEquals([error.failures.length, error.frame!.height], [2, 1]);
  });

  it("shortens a long message, and promises no frame if there is none", () => {
    const failures = Array.from({ length: 1000 }, (_, i) => ({
      turbineId: `T${i}`,
      error: new NoDataError(`Cannot get T${i}: ${"no data ".repeat(1000)}`),
      notReady: false,
    }));
    const { message, hint } = new PartialError(failures, 1000, undefined);
    assert(message.length < 2500, `${message.length}`);
    assertStringIncludes(message, "T4: Cannot get T4: no data");
    assertStringIncludes(message, "and 995 more");
    assertEquals(hint, "The error has no frame, because all turbines failed");
  });
});

describe("a list if some turbines fail", () => {
  it("throws an error that lists the first five, with all failures and the frame of the others", async () => {
    const statuses = Object.fromEntries(buildIds(7).map((id) => [id, 400]));
    await withServer(buildFailingHandler({ ...statuses, T8: 422 }), async ({ connection }) => {
      const error = await assertRejects(
        () => monthlyIndices(buildIds(10), { connection }),
        PartialError,
      );
      assertEquals(error.failures.map(({ turbineId }) => turbineId), [...buildIds(7), "T8"]);
      assert(error.failures[0].error instanceof NoDataError);
      assertEquals([error.code, error.failures[0].error.code], ["partial", "no_data"]);
      assert(error.failures[7].error instanceof VindkitError);
      assertEquals(readColumn(error.frame!, "turbine_id"), ["T7", "T9"]);
      assertStringIncludes(error.message, "8 of 10 turbines failed: T0: ");
      assertStringIncludes(error.message, "; T4: ");
      assert(!error.message.includes("T5: "));
      assertStringIncludes(error.message, "and 3 more");
      assertStringIncludes(error.message, "no data found (400)");
      assertStringIncludes(error.hint!, 'onFailure: "collect"');
    });
  });

  it("returns the frame of the others if failures are collected", async () => {
    await withServer(buildFailingHandler({ T1: 400 }), async ({ connection }) => {
      const frame = await windIndices(buildIds(3), { connection, onFailure: "collect" });
      assertEquals(readColumn(frame, "turbine_id"), ["T0", "T2"]);
      const [failure, ...others] = failures(frame);
      assertEquals([failure.turbineId, others.length], ["T1", 0]);
      assert(failure.error instanceof NoDataError);
      assertStringIncludes(provenance(frame)[0].notes![0], "1 of 3 turbines failed: T1");
      assertEquals(provenance(frame)[0].sha256.length, 2);
    });
  });

  it("throws the error itself if all turbines have the same one", async () => {
    await withServer(buildFailingHandler({ T0: 400, T1: 400 }), async ({ connection }) => {
      const error = await assertRejects(
        () => monthlyIndices(buildIds(2), { connection }),
        NoDataError,
      );
      assert(!(error instanceof PartialError));
    });
  });

  it("throws a PartialError without a frame if all failed with different errors", async () => {
    await withServer(buildFailingHandler({ T0: 400, T1: 404 }), async ({ connection }) => {
      const error = await assertRejects(
        () => monthlyIndices(buildIds(2), { connection }),
        PartialError,
      );
      assertEquals([error.frame, error.failures.length], [undefined, 2]);
      assertStringIncludes(error.message, "2 of 2");
    });
  });

  it("is empty, typed, and says so if all failed and are collected", async () => {
    await withServer(buildFailingHandler({ T0: 400, T1: 404 }), async ({ connection }) => {
      const full = await monthlyIndices(["T5"], { connection });
      const frame = await monthlyIndices(buildIds(2), { connection, onFailure: "collect" });
      assertEquals([frame.height, frame.columns, typesOf(frame)], [0, full.columns, typesOf(full)]);
      assertEquals(failures(frame).length, 2);
      assertStringIncludes(String(table(frame)), "2 of 2 turbines failed");
    });
  });

  it("M3: states no time for a call in which all failed, so each run has the same origin", async () => {
    await withServer(buildFailingHandler({ T0: 400 }), async ({ connection }) => {
      const frame = await monthlyIndices(["T0"], { connection, onFailure: "collect" });
      assertEquals(provenance(frame)[0].fetchedAt, undefined);
    });
  });

  it("ends with the licence: the rest is not requested", async () => {
    for (const onFailure of ["throw", "collect"] as const) {
      const handler: Handler = () => new Response(null, { status: 401 });
      await withServer(handler, async ({ connection, seen }) => {
        const call = () => monthlyIndices(buildIds(500), { connection, onFailure });
        await assertRejects(call, LicenceError);
        assert(seen.length <= 16, `${seen.length} requests`);
      });
    }
  });

  it("keeps the answers from before the licence ended", async () => {
    const handler: Handler = (_, number) =>
      number > 20 ? new Response(null, { status: 401 }) : answerIndices(one);
    await withServer(handler, async ({ connection, seen }) => {
      const error = await assertRejects(
        () => monthlyIndices(buildIds(300), { connection }),
        PartialError,
      );
      assertEquals(error.frame!.height, 20);
      assertEquals(error.failures.length, 280);
      assert(seen.length <= 36, `${seen.length} requests`);
    });
  });

  it("F15 ends immediately with its signal, and leaves no request under way", async () => {
    let open = 0;
    const [all, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const handler: Handler = async (request) => {
      if (++open === 4) all.resolve();
      const answer = await neverAnswer(request);
      if (--open === 0) closed.resolve();
      return answer;
    };
    await withServer(handler, async ({ connection, seen }) => {
      const controller = new AbortController();
      const call = monthlyIndices(buildIds(100), { connection, signal: controller.signal });
      const rejected = assertRejects(() => call, DOMException, "enough");
      await all.promise;
      controller.abort(new DOMException("enough", "AbortError"));
      await rejected;
      await closed.promise;
      assertEquals(seen.length, 4);
    });
  });
});

describe("F39 very many turbines", () => {
  it("come in order, with no more requests at once than the connection allows", async () => {
    let [open, most] = [0, 0];
    const handler: Handler = async () => {
      most = Math.max(most, ++open);
      await Promise.resolve();
      open--;
      return new Response("[]");
    };
    await withServer(handler, async ({ connection, seen }) => {
      const ids = buildIds(10_000);
      const call = checkCall("turbines", {});
      const { done } = await fanOut(ids, { connection }, () => fetchAnswer(connection, call, {}));
      assertEquals(done.map(({ turbineId }) => turbineId), ids);
      assertEquals(seen.length, 10_000);
      assert(most <= 8, `${most} at once`);
    }, { concurrency: 8 });
  });

  it("are joined with memory that does not grow with the square of their number", () => {
    const ids = buildIds(1500);
    const frame = () => pl.DataFrame(INDICES_HEADER.split(",").map((name) => pl.Series(name, [1])));
    const frames = ids.map(() => frame());
    const before = Deno.memoryUsage().rss;
    assertEquals(joinRows(frames).height, ids.length);
    const grown = Math.round((Deno.memoryUsage().rss - before) / 1e6);
    assert(grown < 200, `${grown} MB for ${ids.length} rows`);
  });
});

describe("modelData() of turbines in zones", () => {
  const zones: Readonly<Record<string, string>> = {
    A: "Europe/Copenhagen",
    B: "Asia/Kolkata",
    C: "Europe/Copenhagen",
  };
  const handler = buildHandler({
    hours: Object.fromEntries(
      Object.entries(zones).map((
        [id, zone],
      ) => [id, buildSeries(zone, "2024-10-26", "2024-10-29")]),
    ),
  });

  it("keeps the zone if all have the same", async () => {
    await withServer(handler, async ({ connection }) => {
      const frame = await modelData(["C", "A"], { connection });
      assertEquals(frame.columns, ["turbine_id", ...HOURS_HEADER.split(",")]);
      assertStringIncludes(typesOf(frame)[1], "Europe/Copenhagen");
      assertEquals(frame.height, 2 * 73);
    });
  });

  it("F36 is in UTC if there are several, with zone and local time in further columns, even when clocks go back", async () => {
    await withServer(handler, async ({ connection }) => {
      const frame = await modelData(["A", "B"], { connection });
      const names = ["turbine_id", "time", "time_zone", "local_time"];
      assertEquals(frame.columns, [...names, ...HOURS_HEADER.split(",").slice(1)]);
      assertStringIncludes(typesOf(frame)[1], "UTC");
      assertEquals(typesOf(frame).slice(2, 4), ["String", "String"]);
      const epochs = extractEpochs(frame, "time");
      const locals = readColumn<string>(frame, "local_time");
      const ids = readColumn<string>(frame, "turbine_id");
      readColumn<string>(frame, "time_zone").forEach((zone, row) => {
        assertEquals(zone, zones[ids[row]]);
        const local = Temporal.Instant.fromEpochMilliseconds(epochs[row]).toZonedDateTimeISO(zone);
        assertEquals(locals[row], local.toString({ timeZoneName: "never" }));
      });
      const night = locals.filter((local) => local.startsWith("2024-10-27T02:"));
      assertEquals(night.slice(0, 2), ["2024-10-27T02:00:00+02:00", "2024-10-27T02:00:00+01:00"]);
    });
  });
});

describe("columns that only some turbines have", () => {
  const answer = (zone: string, header: string, row: string): Response =>
    new Response(`${HOURS_HEADER}${header}\n2024-01-01T00:00:00Z,5,240,9.5,1.24,300${row}\n`, {
      headers: { "vindkit-time-zone": zone },
    });

  async function fetchHours(
    extras: Readonly<Record<string, readonly [header: string, row: string]>>,
    body: (connection: Connection, ids: string[]) => Promise<void>,
  ): Promise<void> {
    const handler: Handler = (request) => answer("Europe/London", ...extras[turbineOf(request)]);
    await withServer(handler, ({ connection }) => body(connection, Object.keys(extras)));
  }

  it("have nulls for the others", async () => {
    await fetchHours(
      { A: [",gust", ",9"], B: ["", ""], C: [",icing", ",1"] },
      async (connection, ids) => {
        const frame = await modelData(ids, { connection });
        assertEquals(frame.columns.slice(-2), ["gust", "icing"]);
        assertEquals([readColumn(frame, "gust"), readColumn(frame, "icing")], [
          [9, null, null],
          [null, null, 1],
        ]);
        assertEquals(readColumn(frame, "power"), [300, 300, 300]);
      },
    );
  });

  it("may be numbers for one and text for another", async () => {
    await fetchHours({ A: [",flag", ",9"], B: [",flag", ",ice"] }, async (connection, ids) => {
      const frame = await modelData(ids, { connection });
      assertEquals(readColumn(frame, "flag").map(String), ["9", "ice"]);
    });
  });

  it("may be in another order", async () => {
    await fetchHours({ A: [",a,b", ",1,2"], B: [",b,a", ",2,1"] }, async (connection, ids) => {
      const frame = await modelData(ids, { connection });
      assertEquals([readColumn(frame, "a"), readColumn(frame, "b")], [[1, 1], [2, 2]]);
    });
  });

  for (const name of ["turbine_id", "time_zone", "local_time"]) {
    it(`may be called ${name}, as one of ours: it is read, or refused with an error of ours`, async () => {
      const handler: Handler = (request) =>
        turbineOf(request) === "A"
          ? answer("Europe/London", `,${name}`, ",A")
          : answer("Asia/Kolkata", `,${name}`, ",B");
      await withServer(handler, async ({ connection }) => {
        const result = await modelData(["A", "B"], { connection }).catch((error) => error);
        assert(!(result instanceof Error) || result instanceof VindkitError, String(result));
      });
    });
  }

  it("may be a table's own turbine_id", async () => {
    const text = `turbine_id,${INDICES_HEADER}\n`;
    const handler: Handler = (request) =>
      new Response(`${text}${turbineOf(request)},2024,1,1,2,3,4,5,6,final,1,1\n`);
    await withServer(handler, async ({ connection }) => {
      const frame = await windIndices(["A", "B"], { connection });
      assertEquals(readColumn(frame, "turbine_id"), ["A", "B"]);
    });
  });

  it("is complete if one turbine has a header and no rows", async () => {
    const handler: Handler = (request) =>
      turbineOf(request) === "A" ? answerIndices({}) : answerIndices(one);
    await withServer(handler, async ({ connection }) => {
      assertEquals(readColumn(await windIndices(["A", "B"], { connection }), "turbine_id"), ["B"]);
    });
  });
});
