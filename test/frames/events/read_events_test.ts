/** Status logs, on synthetic files with the traps of the real ones. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { readEvents } from "../../../src/frames/events/read_events.ts";
import { formatRemarks, provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn, utf8 } from "../_text.ts";
import { greenbyteEvents } from "../presets/_files.ts";

const row = (from: string, to: string, duration: string, rest: string) =>
  `2021-03-${from},${to === "-" ? "-" : `2021-03-${to}`},${duration},${rest}`;

describe("readEvents() with logs of Greenbyte", () => {
  const folders: string[] = [];
  const write = async (rows: readonly string[], late = false) => {
    folders.push(await Deno.makeTempDir());
    const path = `${folders.at(-1)}/Status_Kelmarsh_1.csv`;
    await Deno.writeFile(path, greenbyteEvents(rows, late));
    return path;
  };

  afterAll(async () => {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  });

  it("reads durations of many hours, categories in one spelling, and the columns of 2021", async () => {
    const rows = [
      row("01 10:00:00", "10 05:08:29", "211:08:29", "Stop,250,Gearbox,,Yes,Forced outage"),
      row("20 10:00:00", "20 10:05:00", "00:05:00", 'Warning,7,"Oil, low",,,full performance'),
    ];
    for (const late of [false, true]) {
      const events = await readEvents(await write(rows, late), "greenbyte");
      assertEquals(listColumn(events, "category"), ["Forced Outage", "Full Performance"]);
      assertEquals(listColumn(events, "text"), ["Gearbox", "Oil, low"]);
      assertEquals(listColumn(events, "turbine_id"), ["Kelmarsh 1", "Kelmarsh 1"]);
      assertEquals(listColumn(events, "flags"), [null, null]);
      const [end] = listColumn(events, "to") as Date[];
      assertEquals(end.toISOString(), "2021-03-10T05:08:29.000Z");
      assertEquals(formatRemarks(provenance(events)), []);
    }
  });

  it("flags open, instant, duplicate and overlapping events, and drops none", async () => {
    const stop = row("01 10:00:00", "01 12:00:00", "02:00:00", "Stop,250,Gearbox,,,Forced outage");
    const events = await readEvents(
      await write([
        stop,
        stop,
        row("01 11:00:00", "01 11:30:00", "00:30:00", "Warning,7,Oil,,,"),
        row("01 11:40:00", "-", "-", "Informational,1,Hello,,,"),
        row("01 11:50:00", "-", "-", "Stop,10,Emergency,,,Forced outage"),
        row("01 13:00:00", "01 13:00:00", "00:00:00", "Warning,8,Short,,,"),
        row("01 14:00:00", "01 15:00:00", "01:00:00", "Stop,9,Alone,,,"),
      ]),
      "greenbyte",
    );
    assertEquals(listColumn(events, "flags"), [
      "overlap",
      "duplicate",
      "overlap",
      "instant",
      "open",
      "instant",
      null,
    ]);
    assertEquals(listColumn(events, "to").filter((end) => end === null).length, 2);
    assertEquals(listColumn(events, "category").slice(2, 4), [null, null]);
  });

  it("reports durations that differ from the time between the stamps", async () => {
    const path = await write([row("01 10:00:00", "01 12:00:00", "03:00:00", "Stop,2,G,,,")]);
    const notes = formatRemarks(provenance(await readEvents(path, "greenbyte")));
    assert(notes[0].startsWith("1 events have a duration that differs from"), notes[0]);
  });

  it("M8: keeps an event that ends before it begins, and flags it", async () => {
    const back = await write([
      row("02 10:00:00", "01 12:00:00", "-", "Stop,2,G,,,"),
      row("02 11:00:00", "02 12:00:00", "1:00:00", "Stop,2,G,,,"),
    ]);
    assertEquals(listColumn(await readEvents(back, "greenbyte"), "flags"), ["negative", null]);
  });

  it("M8: reads a log that does not name its zone in the caller's zone", async () => {
    const path = await write([row("02 10:00:00", "02 12:00:00", "2:00:00", "Stop,2,G,,,")]);
    const text = await Deno.readTextFile(path);
    for (const line of ["#", "# Time zone: CET"]) {
      await Deno.writeFile(path, utf8(text.replace("# Time zone: UTC", line)));
      await assertRejects(() => readEvents(path, "greenbyte"), ArgumentError, 'Give "time_zone"');
      const events = await readEvents(path, { preset: "greenbyte", time_zone: "Europe/Paris" });
      const [start] = listColumn(events, "from") as Date[];
      assertEquals(start.toISOString(), "2021-03-02T09:00:00.000Z");
      const notes = formatRemarks(provenance(events)).join();
      assertEquals(notes.includes('"CET" is unknown'), line !== "#", notes);
    }
    await assertRejects(
      () => readEvents(path, { preset: "greenbyte", timezone: "UTC" } as never),
      ArgumentError,
      'Did you mean "time_zone"?',
    );
    await assertRejects(
      () => readEvents(path, { preset: "greenbyte", time_zone: "CET" }),
      ArgumentError,
      'Cannot use time_zone "CET"',
    );
  });

  it("H2: places each event of a repeated hour by its duration, and flags unclear ones", async () => {
    const night = (from: string, to: string, duration: string, rest: string) =>
      `2023-10-29 ${from},${to === "-" ? "-" : `2023-10-29 ${to}`},${duration},${rest}`;
    const path = await write([
      night("01:10:00", "-", "-", "Informational,1,one,,,"),
      night("01:10:00", "-", "-", "Informational,2,other,,,"),
      night("00:30:00", "01:10:00", "0:40:00", "Stop,3,first pass,,,"),
      night("00:30:00", "01:10:00", "1:40:00", "Stop,4,second pass,,,"),
      night("01:50:00", "01:05:00", "-", "Stop,5,over the change,,,"),
      night("01:20:00", "01:35:00", "0:15:00", "Stop,6,either,,,"),
      night("01:20:00", "01:35:00", "0:15:00", "Stop,6,either,,,"),
      night("01:45:00", "02:00:00", "0:15:00", "Stop,7,by its end,,,"),
    ]);
    const text = await Deno.readTextFile(path);
    await Deno.writeFile(path, utf8(text.replace("Time zone: UTC", "Time zone: Europe/London")));
    const events = await readEvents(path, "greenbyte");
    const clock = (time: Date | null) => time?.toISOString().slice(11, 16) ?? null;
    const [from, to] = [listColumn(events, "from"), listColumn(events, "to")] as Date[][];
    const flags = listColumn(events, "flags") as (string | null)[];
    const places = (listColumn(events, "code") as string[])
      .map((code, i) => [code, clock(from[i]), clock(to[i]), flags[i]]);
    assertEquals(places.sort(([a], [b]) => Number(a) - Number(b)), [
      ["1", "00:10", null, "instant, unclear hour"],
      ["2", "00:10", null, "instant, unclear hour"],
      ["3", "23:30", "00:10", "overlap"],
      ["4", "23:30", "01:10", "overlap"],
      ["5", "00:50", "01:05", "overlap"],
      ["6", "00:20", "00:35", "overlap, unclear hour"],
      ["6", "00:20", "00:35", "duplicate, unclear hour"],
      ["7", "01:45", "02:00", null],
    ]);
  });

  it("refuses an invalid duration, and an hour that the clock skips, by the line", async () => {
    const skipped = await write(["2023-03-26 01:10:00,-,-,Stop,2,G,,,"]);
    const text = await Deno.readTextFile(skipped);
    await Deno.writeFile(skipped, utf8(text.replace("Time zone: UTC", "Time zone: Europe/London")));
    await assertRejects(
      () => readEvents(skipped, "greenbyte"),
      DataFormatError,
      "2023-03-26 01:10 does not exist in Europe/London",
    );
    const wrongDuration = await write([row("01 10:00:00", "01 12:00:00", "2 h", "Stop,2,G,,,")]);
    await assertRejects(
      () => readEvents(wrongDuration, "greenbyte"),
      DataFormatError,
      '"2 h" is not a duration like 211:08:29',
    );
  });

  it("refuses presets without status logs, and a log that names no turbine", async () => {
    await assertRejects(() => readEvents("x.csv", "edp"), ArgumentError, "has no status logs");
    const path = await write([]);
    const text = await Deno.readTextFile(path);
    await Deno.writeFile(path, utf8(text.replace("# Turbine: Kelmarsh 1", "#")));
    await assertRejects(() => readEvents(path, "greenbyte"), ArgumentError, "names the turbine");
  });

  it("flags a row that two files share as a duplicate", async () => {
    const stop = row("01 10:00:00", "01 12:00:00", "02:00:00", "Stop,250,Gearbox,,,");
    const events = await readEvents([await write([stop]), await write([stop])], "greenbyte");
    assertEquals(listColumn(events, "flags"), [null, "duplicate"]);
  });

  it("reads a log without events", async () => {
    const events = await readEvents(await write([]), "greenbyte");
    assertEquals([events.height, events.width], [0, 8]);
  });
});
