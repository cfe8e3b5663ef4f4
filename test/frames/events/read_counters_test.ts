/** Counters of states, on synthetic files with the traps of the real ones, and on the real ones if they are available. */
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { afterAll, describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { counterColumns } from "../../../src/frames/events/event_columns.ts";
import { readEvents } from "../../../src/frames/events/read_events.ts";
import { recognizeFile } from "../../../src/frames/presets/recognize_file.ts";
import { formatRemarks, provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn } from "../_text.ts";

const HEADER = "TimeStamp,StationId,wtc_ScReToOp_timeon,wtc_ScWindIR_timeon,wtc_ScEnvSto_timeon," +
  "wtc_ScComSto_timeon,wtc_ScTurSto_timeon,wtc_ScGrdSto_timeon,wtc_TlcStat_timeon";

/** A row with seconds of a stop by the turbine, and ready for the rest. */
const row = (stamp: string, station: number, stop: number | "") =>
  `2024-07-${stamp}:00,${station},${stop === "" ? "" : 600 - stop},150.0,0.0,0.0,${stop},0.0,0.0`;

describe("readEvents() with the counters of Hill of Towie", () => {
  const folders: string[] = [];
  const write = async (...files: (readonly string[])[]) => {
    const folder = await Deno.makeTempDir();
    folders.push(folder);
    for (const [i, rows] of files.entries()) {
      const path = `${folder}/tblSCTurFlag_2024_0${7 + i}.csv`;
      await Deno.writeTextFile(path, [HEADER, ...rows, ""].join("\r\n"));
    }
    return folder;
  };
  afterAll(async () => {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  });

  it("has the seconds of each cause in the ten minutes before a stamp, one turbine after the other", async () => {
    const folder = await write([
      row("01 00:10", 2304511, 0),
      row("01 00:10", 2304510, 600),
      row("01 00:20", 2304510, ""),
    ]);
    const events = await readEvents(folder, "hill-of-towie");
    assertEquals(events.columns, counterColumns.map(({ name }) => name));
    assertEquals(listColumn(events, "turbine_id"), ["2304510", "2304510", "2304511"]);
    assertEquals(
      events.getColumn("from").cast(pl.Utf8).get(0),
      "2024-07-01 00:00:00.000000+00:00",
    );
    assertEquals(listColumn(events, "turbine_stop"), [600, null, 0]);
    assertEquals(listColumn(events, "ready_to_operate"), [0, null, 600]);
    assertEquals(
      formatRemarks(provenance(events)).join("\n").includes("2 durations are missing"),
      true,
    );
    const { kind, preset } = await recognizeFile(`${folder}/tblSCTurFlag_2024_07.csv`);
    assertEquals([kind, preset], ["events", "hill-of-towie"]);
  });

  it("counts a row in two files once, and refuses two different ones", async () => {
    const joint = row("31 23:50", 1, 0);
    const events = await readEvents(await write([joint], [joint]), "hill-of-towie");
    assertEquals(events.height, 1);
    await assertRejects(
      async () => await readEvents(await write([joint], [row("31 23:50", 1, 30)]), "hill-of-towie"),
      DataFormatError,
      "turbine 1 has two rows for 2024-07-31 23:40:00",
    );
  });

  it("refuses times that end no period, and another zone", async () => {
    const wrong: readonly (readonly [string, string])[] = [
      [row("01 00:10", 1, -5), "-5 s is a negative duration"],
      [row("01 00:15", 1, 0), "the timestamp is not the end of a period of 10 minutes"],
      [row("01 00:10", 1, 0).replace(",1,", ",,"), "the turbine is missing"],
    ];
    for (const [line, problem] of wrong) {
      const folder = await write([line]);
      await assertRejects(() => readEvents(folder, "hill-of-towie"), DataFormatError, problem);
    }
    const folder = await write([row("01 00:10", 1, 0)]);
    await assertRejects(
      () => readEvents(folder, { preset: "hill-of-towie", time_zone: "Europe/London" }),
      ArgumentError,
      'the times of "hill-of-towie" are in UTC',
    );
  });
});

const DATA = new URL("../../../../shared/data/hill_of_towie/2024.zip", import.meta.url).pathname;
const hasData = await Deno.stat(DATA).then(() => true, () => false);
if (!hasData) console.log(`Skipped: counters of Hill of Towie need ${DATA}`);

(hasData ? describe : describe.ignore)("counters of Hill of Towie in July 2024", () => {
  it("are of 21 turbines, with the hours of each cause", async () => {
    const events = await readEvents(DATA, "hill-of-towie");
    assertEquals([events.height, events.getColumn("turbine_id").nUnique()], [93_708, 21]);
    const hours = (name: string) => events.getColumn(name).sum() / 3600;
    // Computed from the file by another program.
    assertAlmostEquals(hours("environment_stop"), 11.8569, 0.001);
    assertAlmostEquals(hours("commanded_stop"), 13.1356, 0.001);
    assertAlmostEquals(hours("turbine_stop"), 9.0194, 0.001);
    assertAlmostEquals(hours("grid_stop"), 0.0961, 0.001);
    assertAlmostEquals(hours("ready_to_operate"), 15_331.4603, 0.001);
    assertAlmostEquals(hours("wind_in_range"), 7377.0144, 0.001);
    assertEquals(events.getColumn("grid_stop").nullCount(), 4);
  });
});
