import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import { NetworkError } from "../../../src/api/errors.ts";
import { modelData, type ModelDataOptions } from "../../../src/client/calls/model_data.ts";
import { provenance } from "../../../src/frames/provenance.ts";
import { column, typesOf } from "../_frames.ts";
import { type LocalServer, withRawServer, withServer } from "../_local_server.ts";
import {
  grow,
  handlerOf,
  hourly,
  HOURS_HEADER,
  monthsOf,
  revise,
  type World,
} from "../cache/_world.ts";

const ZONE = "Europe/Copenhagen";
const TAIL = ["2023-09", "2023-10", "2023-11", "2023-12"];

/** Twelve months: eight older ones and a tail of four. */
const year = (zone = ZONE) => hourly(zone, "2023-01-01", "2024-01-01");

/** Spans of the requests since a number of them, as `start end`. */
function spansOf({ seen }: LocalServer, since: number): string[] {
  return seen.slice(since).map(({ query }) =>
    `${query.get("start_date")} ${query.get("end_date")}`
  );
}

function noteOf(frame: DataFrame): string {
  return (provenance(frame)!.notes ?? []).join("; ");
}

/** Fetches and keeps a series, changes the service, then calls again with `cache: "use"`. */
async function again(
  world: World,
  change: (world: World) => void,
  options: ModelDataOptions = {},
): Promise<{ first: DataFrame; second: DataFrame; spans: string[] }> {
  let result: { first: DataFrame; second: DataFrame; spans: string[] } | undefined;
  await withServer(handlerOf(world), async (server) => {
    const { connection } = server;
    const first = await modelData("T1", { ...options, connection });
    const since = server.seen.length;
    change(world);
    const second = await modelData("T1", { ...options, connection });
    result = { first, second, spans: spansOf(server, since) };
  }, { cache: "use" });
  return result!;
}

/** Spans of a call that asked for all again: the last one is the call's own. */
function askedForAll(spans: readonly string[], start = "1940-01-01", end = "2100-01-01"): boolean {
  return spans.at(-1) === `${start} ${end}`;
}

/** A tail and an older month were asked for, and nothing else. */
function assertReused(spans: readonly string[], start?: string, end?: string): void {
  assertEquals(spans.length, 2, spans.join(", "));
  assert(!askedForAll(spans, start, end), spans.join(", "));
}

describe('modelData({ cache: "use" })', () => {
  it("asks for the tail and one older month where nothing changed, and takes the kept series", async () => {
    const { first, second, spans } = await again({ hours: { T1: year() } }, () => {});
    assertReused(spans);
    assertEquals(spans[0], "2023-09-01 2100-01-01");
    const [from, to] = spans[1].split(" ").map((day) => Temporal.PlainDate.from(day));
    assertEquals(from.add({ months: 1 }).toString(), to.toString());
    assert(from.year === 2023 && from.month <= 8, spans[1]);
    assert(second.frameEqual(first, true));
    assertEquals(typesOf(second), typesOf(first));
    const [before, after] = [provenance(first)!, provenance(second)!];
    assertEquals([after.sha256, after.fetchedAt], [before.sha256, before.fetchedAt]);
    assertStringIncludes(noteOf(second), "from the cache");
    assertStringIncludes(noteOf(second), from.toPlainYearMonth().toString());
    assertEquals(noteOf(first), "");
  });

  for (const month of TAIL) {
    it(`fetches all anew where ${month} was revised, and says so`, async () => {
      const { second, spans } = await again(
        { hours: { T1: year() } },
        ({ hours }) => revise(hours!.T1, month, 1, 1),
      );
      assert(askedForAll(spans), spans.join(", "));
      assertStringIncludes(noteOf(second), "revised");
      const [row] = monthsOf(year()).get(month)!;
      assertEquals(column<number>(second, "wind_speed")[row], year().wind[row]! + 1);
    });
  }

  it("fetches all anew where the older month that it asks for was revised", async () => {
    const older = [...monthsOf(year()).keys()].filter((month) => !TAIL.includes(month));
    const { second, spans } = await again({ hours: { T1: year() } }, ({ hours }) => {
      for (const month of older) revise(hours!.T1, month, 0.5);
    });
    assertEquals(spans.length, 3);
    assert(askedForAll(spans), spans.join(", "));
    assertStringIncludes(noteOf(second), "revised");
    assertEquals(column<number>(second, "wind_speed")[0], year().wind[0]! + 0.5);
  });

  it("fetches all anew where a month has come", async () => {
    const { second, spans } = await again(
      { hours: { T1: year() } },
      ({ hours }) => void grow(hours!.T1, "2024-01-01", "2024-02-01"),
    );
    assert(askedForAll(spans), spans.join(", "));
    assertEquals(second.height, 8760 + 744);
  });

  it("fetches all anew where hours of the tail are gone", async () => {
    const { second, spans } = await again({ hours: { T1: year() } }, (world) => {
      world.hours!.T1 = hourly(ZONE, "2023-01-01", "2023-12-15");
    });
    assert(askedForAll(spans), spans.join(", "));
    assertEquals(second.height, 348 * 24);
  });

  it("fetches all anew where the whole tail is gone: that there are no data is no error then", async () => {
    const { second } = await again({ hours: { T1: year() } }, (world) => {
      world.hours!.T1 = hourly(ZONE, "2023-01-01", "2023-08-01");
    });
    assertEquals(second.height, 212 * 24 - 1, "in March the clock is put on");
  });

  it("works where the older month that it asks for has no hours", async () => {
    const gapped = () => grow(hourly(ZONE, "2013-01-01", "2013-01-02"), "2023-09-01", "2024-01-01");
    const { first, second } = await again({ hours: { T1: gapped() } }, () => {});
    assert(second.frameEqual(first, true));
  });

  it("asks for all at once where the tail is all there is", async () => {
    const { second, spans } = await again(
      { hours: { T1: hourly(ZONE, "2023-09-01", "2024-01-01") } },
      () => {},
    );
    assertEquals(spans, ["1940-01-01 2100-01-01"]);
    assertEquals(noteOf(second), "");
  });

  it("asks for the same older month on the same day", async () => {
    await withServer(handlerOf({ hours: { T1: year() } }), async (server) => {
      const { connection } = server;
      const call = async () => {
        const since = server.seen.length;
        await modelData("T1", { connection });
        return spansOf(server, since).at(-1)!;
      };
      await call();
      const today = () => Temporal.Now.plainDateISO("UTC").toString();
      const day = today();
      const months = [await call(), await call()];
      if (today() !== day) months.splice(0, 2, await call(), await call()); // it was midnight
      assertEquals(months[0], months[1]);
    }, { cache: "use" });
  });

  it("asks for different older months for different series", async () => {
    const ids = Array.from({ length: 12 }, (_, i) => `T${i}`);
    const hours = Object.fromEntries(ids.map((id) => [id, year()]));
    await withServer(handlerOf({ hours }), async (server) => {
      const { connection } = server;
      await modelData(ids, { connection });
      const since = server.seen.length;
      await modelData(ids, { connection });
      const older = spansOf(server, since).filter((span) => !span.startsWith("2023-09"));
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
    it(`never asks outside of ${start} to ${end}`, async () => {
      const { first, second, spans } = await again({ hours: { T1: year() } }, () => {}, {
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
    it(`knows the months of ${zone}, and finds a revision of their first and last hours`, async () => {
      const same = await again({ hours: { T1: year(zone) } }, () => {});
      assertReused(same.spans); // so the borders of months are right
      assert(same.second.frameEqual(same.first, true));
      for (const row of [monthsOf(year(zone)).get("2023-09")![0], year(zone).wind.length - 1]) {
        const { spans } = await again(
          { hours: { T1: year(zone) } },
          ({ hours }) => void (hours!.T1.wind[row]! += 1),
        );
        assert(askedForAll(spans), `row ${row}`);
      }
    });
  }

  it("takes months in which the clock is put on and back", async () => {
    const { first, second, spans } = await again(
      { hours: { T1: hourly(ZONE, "2023-03-01", "2023-11-01") } },
      () => {},
    );
    assertReused(spans);
    assertEquals(spans[0], "2023-07-01 2100-01-01");
    assert(second.frameEqual(first, true));
  });

  it("takes data that begin and end within a month and a day", async () => {
    const { first, second, spans } = await again(
      { hours: { T1: hourly(ZONE, "2023-03-14T07:00", "2023-09-20T15:00") } },
      () => {},
    );
    assertReused(spans);
    assertEquals(spans[0], "2023-06-01 2100-01-01");
    assert(second.frameEqual(first, true));
  });

  it("takes hours without values", async () => {
    const hours = { T1: year() };
    for (let row = 0; row < hours.T1.wind.length; row += 5) hours.T1.wind[row] = null;
    const { first, second, spans } = await again({ hours }, () => {});
    assertReused(spans);
    assert(second.frameEqual(first, true));
  });

  it("finds a value that is gone", async () => {
    const last = year().wind.length - 1;
    const { second, spans } = await again(
      { hours: { T1: year() } },
      ({ hours }) => void (hours!.T1.wind[last] = null),
    );
    assert(askedForAll(spans));
    assertEquals(column(second, "wind_speed")[last], null);
  });

  it("takes a column of the service's own that reads as a text in one month, as numbers in others", async () => {
    const series = year();
    const handler = handlerOf({ hours: { T1: series } });
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
      assertStringIncludes(noteOf(second), "from the cache");
      assertReused(spansOf(server, since));
    }, { cache: "use" });
  });
});

describe("F3 model data whose length nobody says", () => {
  const answer = (body: string) =>
    `HTTP/1.1 200 OK\r\ncontent-type: text/csv\r\nvindkit-time-zone: ${ZONE}\r\n` +
    `connection: close\r\n\r\n${body}`;

  it("is refused where it ends after its header: the hours may have been cut off", async () => {
    await withRawServer(answer(`${HOURS_HEADER}\n`), async ({ connection }) => {
      await assertRejects(() => modelData("T1", { connection }), NetworkError);
    });
  });
});
