import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import { NetworkError } from "../../../src/api/errors.ts";
import { modelData, type ModelDataOptions } from "../../../src/client/calls/model_data.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { readColumn, typesOf } from "../_frames.ts";
import { type LocalServer, withRawServer, withServer } from "../_local_server.ts";
import {
  buildHandler,
  buildSeries,
  extendSeries,
  groupMonths,
  HOURS_HEADER,
  revise,
  type World,
} from "../cache/_world.ts";

const ZONE = "Europe/Copenhagen";
const TAIL = ["2023-09", "2023-10", "2023-11", "2023-12"];

/** Twelve months: eight older ones and a tail of four. */
const year = (zone = ZONE) => buildSeries(zone, "2023-01-01", "2024-01-01");

/** Spans of the requests since a number of them, as `start end`. */
function listSpans({ seen }: LocalServer, since: number): string[] {
  return seen.slice(since).map(({ query }) =>
    `${query.get("start_date")} ${query.get("end_date")}`
  );
}

function readNote(frame: DataFrame): string {
  return (provenance(frame)[0].notes ?? []).join("; ");
}

/** Stores a series, changes the service, then calls again with `cache: "use"`. */
async function callAgain(
  world: World,
  change: (world: World) => void,
  options: ModelDataOptions = {},
): Promise<{ first: DataFrame; second: DataFrame; spans: string[] }> {
  let result: { first: DataFrame; second: DataFrame; spans: string[] } | undefined;
  await withServer(buildHandler(world), async (server) => {
    const { connection } = server;
    const first = await modelData("T1", { ...options, connection });
    const since = server.seen.length;
    change(world);
    const second = await modelData("T1", { ...options, connection });
    result = { first, second, spans: listSpans(server, since) };
  }, { cache: "use" });
  return result!;
}

/** Whether the last request was for the whole series. */
function requestedAll(spans: readonly string[], start = "1940-01-01", end = "2100-01-01"): boolean {
  return spans.at(-1) === `${start} ${end}`;
}

/** Checks that a tail and an older month were requested, and nothing else. */
function assertReused(spans: readonly string[], start?: string, end?: string): void {
  assertEquals(spans.length, 2, spans.join(", "));
  assert(!requestedAll(spans, start, end), spans.join(", "));
}

describe('modelData({ cache: "use" })', () => {
  it("fetches the tail and one older month if nothing changed, and uses the stored series", async () => {
    const { first, second, spans } = await callAgain({ hours: { T1: year() } }, () => {});
    assertReused(spans);
    assertEquals(spans[0], "2023-09-01 2100-01-01");
    const [from, to] = spans[1].split(" ").map((day) => Temporal.PlainDate.from(day));
    assertEquals(from.add({ months: 1 }).toString(), to.toString());
    assert(from.year === 2023 && from.month <= 8, spans[1]);
    assert(second.frameEqual(first, true));
    assertEquals(typesOf(second), typesOf(first));
    const [before, after] = [provenance(first)[0], provenance(second)[0]];
    assertEquals([after.sha256, after.fetchedAt], [before.sha256, before.fetchedAt]);
    assertStringIncludes(readNote(second), "from the cache");
    assertStringIncludes(readNote(second), from.toPlainYearMonth().toString());
    assertEquals(readNote(first), "");
  });

  for (const month of TAIL) {
    it(`fetches all again if ${month} was revised, and says so`, async () => {
      const { second, spans } = await callAgain(
        { hours: { T1: year() } },
        ({ hours }) => revise(hours!.T1, month, 1, 1),
      );
      assert(requestedAll(spans), spans.join(", "));
      assertStringIncludes(readNote(second), "revised");
      const [row] = groupMonths(year()).get(month)!;
      assertEquals(readColumn<number>(second, "wind_speed")[row], year().wind[row]! + 1);
    });
  }

  it("fetches all again if the selected older month was revised", async () => {
    const older = [...groupMonths(year()).keys()].filter((month) => !TAIL.includes(month));
    const { second, spans } = await callAgain({ hours: { T1: year() } }, ({ hours }) => {
      for (const month of older) revise(hours!.T1, month, 0.5);
    });
    assertEquals(spans.length, 3);
    assert(requestedAll(spans), spans.join(", "));
    assertStringIncludes(readNote(second), "revised");
    assertEquals(readColumn<number>(second, "wind_speed")[0], year().wind[0]! + 0.5);
  });

  it("fetches all again if a month was added", async () => {
    const { second, spans } = await callAgain(
      { hours: { T1: year() } },
      ({ hours }) => void extendSeries(hours!.T1, "2024-01-01", "2024-02-01"),
    );
    assert(requestedAll(spans), spans.join(", "));
    assertEquals(second.height, 8760 + 744);
  });

  it("fetches all again if hours of the tail were removed", async () => {
    const { second, spans } = await callAgain({ hours: { T1: year() } }, (world) => {
      world.hours!.T1 = buildSeries(ZONE, "2023-01-01", "2023-12-15");
    });
    assert(requestedAll(spans), spans.join(", "));
    assertEquals(second.height, 348 * 24);
  });

  it("fetches all again if the whole tail was removed: missing data are not an error then", async () => {
    const { second } = await callAgain({ hours: { T1: year() } }, (world) => {
      world.hours!.T1 = buildSeries(ZONE, "2023-01-01", "2023-08-01");
    });
    assertEquals(second.height, 212 * 24 - 1, "in March the clock is put on");
  });

  it("works if the selected older month has no hours", async () => {
    const gapped = () =>
      extendSeries(buildSeries(ZONE, "2013-01-01", "2013-01-02"), "2023-09-01", "2024-01-01");
    const { first, second } = await callAgain({ hours: { T1: gapped() } }, () => {});
    assert(second.frameEqual(first, true));
  });

  it("fetches all in one request if the series is not longer than the tail", async () => {
    const { second, spans } = await callAgain(
      { hours: { T1: buildSeries(ZONE, "2023-09-01", "2024-01-01") } },
      () => {},
    );
    assertEquals(spans, ["1940-01-01 2100-01-01"]);
    assertEquals(readNote(second), "");
  });

  it("selects the same older month on the same day", async () => {
    await withServer(buildHandler({ hours: { T1: year() } }), async (server) => {
      const { connection } = server;
      const call = async () => {
        const since = server.seen.length;
        await modelData("T1", { connection });
        return listSpans(server, since).at(-1)!;
      };
      await call();
      const today = () => Temporal.Now.plainDateISO("UTC").toString();
      const day = today();
      const months = [await call(), await call()];
      if (today() !== day) months.splice(0, 2, await call(), await call()); // it was midnight
      assertEquals(months[0], months[1]);
    }, { cache: "use" });
  });

  it("selects different older months for different series", async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `T${i}`);
    const hours = Object.fromEntries(ids.map((id) => [id, year()]));
    await withServer(buildHandler({ hours }), async (server) => {
      const { connection } = server;
      await modelData(ids, { connection });
      const since = server.seen.length;
      await modelData(ids, { connection });
      const older = listSpans(server, since).filter((span) => !span.startsWith("2023-09"));
      assertEquals(older.length, ids.length);
      assert(new Set(older).size > 1, "the same month for all would find a revision late");
    }, { cache: "use" });
  });

  for (
    const [start, end] of [
      ["2023-02-10", "2023-11-20"],
      ["2023-01-01", "2023-12-31"],
      ["2023-06-15", "2023-12-01"],
    ]
  ) {
    it(`never sends dates outside of ${start} to ${end}`, async () => {
      const { first, second, spans } = await callAgain({ hours: { T1: year() } }, () => {}, {
        from: start,
        to: Temporal.PlainDate.from(end).subtract({ days: 1 }),
      });
      assertReused(spans, start, end);
      for (const span of spans) {
        const [from, to] = span.split(" ");
        assert(from >= start && to <= end && from < to, span);
      }
      assert(second.frameEqual(first, true));
    });
  }

  for (
    const zone of ["Asia/Kolkata", "Asia/Kathmandu", "America/St_Johns", "Australia/Lord_Howe"]
  ) {
    it(`uses the months of ${zone}, and finds a revision of their first and last hours`, async () => {
      const same = await callAgain({ hours: { T1: year(zone) } }, () => {});
      assertReused(same.spans); // so the borders of months are right
      assert(same.second.frameEqual(same.first, true));
      for (const row of [groupMonths(year(zone)).get("2023-09")![0], year(zone).wind.length - 1]) {
        const { spans } = await callAgain(
          { hours: { T1: year(zone) } },
          ({ hours }) => void (hours!.T1.wind[row]! += 1),
        );
        assert(requestedAll(spans), `row ${row}`);
      }
    });
  }

  it("accepts months in which clocks go forward and back", async () => {
    const { first, second, spans } = await callAgain(
      { hours: { T1: buildSeries(ZONE, "2023-03-01", "2023-11-01") } },
      () => {},
    );
    assertReused(spans);
    assertEquals(spans[0], "2023-07-01 2100-01-01");
    assert(second.frameEqual(first, true));
  });

  it("accepts data that begin and end within a month and a day", async () => {
    const { first, second, spans } = await callAgain(
      { hours: { T1: buildSeries(ZONE, "2023-03-14T07:00", "2023-09-20T15:00") } },
      () => {},
    );
    assertReused(spans);
    assertEquals(spans[0], "2023-06-01 2100-01-01");
    assert(second.frameEqual(first, true));
  });

  it("accepts hours without values", async () => {
    const hours = { T1: year() };
    for (let row = 0; row < hours.T1.wind.length; row += 5) hours.T1.wind[row] = null;
    const { first, second, spans } = await callAgain({ hours }, () => {});
    assertReused(spans);
    assert(second.frameEqual(first, true));
  });

  it("finds a value that was removed", async () => {
    const last = year().wind.length - 1;
    const { second, spans } = await callAgain(
      { hours: { T1: year() } },
      ({ hours }) => void (hours!.T1.wind[last] = null),
    );
    assert(requestedAll(spans));
    assertEquals(readColumn(second, "wind_speed")[last], null);
  });

  it("accepts a column of the service that is text in one month and numbers in others", async () => {
    const series = year();
    const handler = buildHandler({ hours: { T1: series } });
    await withServer(async (request, number) => {
      const text = await (await handler(request, number)).text();
      const lines = text.trimEnd().split("\n").map((line, i) =>
        line + (i === 0 ? ",flag" : line.startsWith("2023-03") ? ",ice" : ",0")
      );
      return new Response(lines.join("\n") + "\n", { headers: { "vindkit-time-zone": ZONE } });
    }, async (server) => {
      const { connection } = server;
      await modelData("T1", { connection });
      const since = server.seen.length;
      const second = await modelData("T1", { connection });
      assertStringIncludes(readNote(second), "from the cache");
      assertReused(listSpans(server, since));
    }, { cache: "use" });
  });
});

describe("F3 model data without a stated length", () => {
  const answer = (body: string) =>
    `HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\nvindkit-time-zone: ${ZONE}\r\n` +
    `connection: close\r\n\r\n${body}`;

  it("is refused if it ends after its header: the hours may be missing", async () => {
    await withRawServer(answer(`${HOURS_HEADER}\n`), async ({ connection }) => {
      await assertRejects(() => modelData("T1", { connection }), NetworkError);
    });
  });
});
