/**
 * model_data over HTTP: timestamps, days and months in the turbine's zone, and the file it is served from.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { modelDataCsv } from "../../../src/api/columns/columns.ts";
import { operationOf } from "../../../src/api/operations/operations.ts";
import { DamagedFileError } from "../../../src/disk/files.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import {
  type ModelCsv,
  openModelCsv,
  renderModelCsv,
} from "../../../src/service/fulfilment/model_csv.ts";
import { FolderFiles } from "../../../src/storage/files/folder/folder_files.ts";
import { buildPath, type ServedSample, serveSample, SHARED_SAMPLE } from "../_sample.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

const HEADER = "time,wind_speed,wind_direction,temperature,air_density,power";

let sample: ServedSample;

/** Rows of model data as fields; the header is checked and left out. */
async function readRows(
  turbineId: string,
  startDate?: string,
  endDate?: string,
): Promise<string[][]> {
  const values = { turbine_id: turbineId, start_date: startDate, end_date: endDate };
  const path = buildPath(operationOf("model_data"), values);
  const { status, text, bytes, headers } = await sample.ask(path, {
    key: sample.keys.full,
    headers: { "accept-encoding": "identity" }, // otherwise fetch unpacks, and removes the length
  });
  assertEquals(status, 200, text.slice(0, 300));
  assertEquals(headers.get("content-length"), String(bytes.length));
  const lines = text.split("\n");
  assertEquals([lines[0], lines.at(-1)], [HEADER, ""]);
  return lines.slice(1, -1).map((line) => line.split(","));
}

const stampsOf = (rows: readonly string[][]) => rows.map(([stamp]) => stamp);

describe("model_data", () => {
  beforeAll(async () => {
    sample = await serveSample();
  });
  afterAll(async () => await sample.close());

  it("has the hours of local days, without the end", async () => {
    const rows = await readRows("T1", "2024-01-01", "2024-01-03");
    assertEquals(rows.length, 48);
    assertEquals(rows[0][0], "2024-01-01T00:00:00+01:00");
    assertEquals(rows.at(-1)![0], "2024-01-02T23:00:00+01:00");
    for (const row of rows) assertEquals(row.length, 6);
  });

  it("has as many decimals as the contract declares", async () => {
    const rows = await readRows("T1", "2024-01-01", "2024-02-01");
    const longest = modelDataCsv.map((_, i) =>
      Math.max(...rows.map((row) => row[i].split(".")[1]?.length ?? 0))
    );
    assertEquals(longest, modelDataCsv.map(({ decimals = 0 }) => decimals));
  });

  it("F36 has the repeated hour of October twice, with its two offsets", async () => {
    const stamps = stampsOf(await readRows("T1", "2024-10-27", "2024-10-28"));
    assertEquals(stamps.length, 25);
    assertEquals(stamps.slice(1, 5), [
      "2024-10-27T01:00:00+02:00",
      "2024-10-27T02:00:00+02:00",
      "2024-10-27T02:00:00+01:00",
      "2024-10-27T03:00:00+01:00",
    ]);
  });

  it("F36 has no row for the hour that March skips", async () => {
    const stamps = stampsOf(await readRows("T1", "2024-03-31", "2024-04-01"));
    assertEquals(stamps.length, 23);
    assertEquals(stamps.slice(1, 3), ["2024-03-31T01:00:00+01:00", "2024-03-31T03:00:00+02:00"]);
  });

  it("F36 has the hours that begin in the day in a zone with a half-hour offset", async () => {
    const stamps = stampsOf(await readRows("T6", "2024-01-01", "2024-01-02"));
    assertEquals(stamps.length, 24);
    assertEquals([stamps[0], stamps.at(-1)], [
      "2024-01-01T00:30:00+05:30",
      "2024-01-01T23:30:00+05:30",
    ]);
  });

  it("is gapless: every stamp is an hour after the one before", async () => {
    const instants = stampsOf(await readRows("T1", "2023-01-01", "2025-01-01")).map((stamp) =>
      Temporal.Instant.from(stamp).epochMilliseconds
    );
    assertEquals(instants.length, (365 + 366) * 24);
    instants.forEach((instant, i) => assertEquals(instant, instants[0] + i * 3_600_000));
  });

  it("begins at the first hour without start_date, and ends before 2030-12-01 without end_date", async () => {
    const all = await readRows("T1");
    assertEquals(all[0][0], "2005-01-01T01:00:00+01:00");
    assertEquals(all.length, 21 * 365 * 24 + 5 * 24 + 1);
    assertEquals(stampsOf(await readRows("T1", "2025-12-31")), stampsOf(all).slice(-26));
  });

  it("treats dates beyond the record as its ends", async () => {
    const all = await readRows("T1", "1940-01-01", "2100-12-31");
    assertEquals(all.length, (await readRows("T1")).length);
  });

  it("has the same rows whether they are requested at once or in parts", async () => {
    const allRows = await readRows("T1", "2024-10-26", "2024-10-29");
    const parts = [
      ...await readRows("T1", "2024-10-26", "2024-10-27"),
      ...await readRows("T1", "2024-10-27", "2024-10-28"),
      ...await readRows("T1", "2024-10-28", "2024-10-29"),
    ];
    assertEquals(parts, allRows);
  });

  for (
    const [dates, start, end] of [
      ["days before the record", "1990-01-01", "2000-01-01"],
      ["days after the record", "2027-01-01", "2028-01-01"],
    ]
  ) {
    it(`answers 400 for ${dates}`, async () => {
      const values = { turbine_id: "T1", start_date: start, end_date: end };
      const path = buildPath(operationOf("model_data"), values);
      const { status, text } = await sample.ask(path, { key: sample.keys.full });
      assertEquals(status, 400);
      assertMatch(text, /T1 has no hours between these dates/);
    });
  }

  for (const id of ["T1", "T6"]) {
    it(`sums to predicted_production in each month of ${id}, whatever its length`, async () => {
      const energies = new Map<string, number>();
      for (const [stamp, , , , , power] of await readRows(id, "2024-01-01", "2025-01-01")) {
        const month = stamp.slice(0, 7);
        energies.set(month, (energies.get(month) ?? 0) + Number(power) / 1000);
      }
      assertEquals(energies.size, 12);
      for (const [month, energy] of energies) {
        const [year, number] = month.split("-").map(Number);
        const values = { turbine_id: id, year, month: number };
        const path = buildPath(operationOf("monthly_index"), values);
        const { text } = await sample.ask(path, { key: sample.keys.full });
        const { predicted_production: predicted, completeness } = JSON.parse(text);
        assertEquals(completeness, 1);
        assertAlmostEquals(energy / predicted, 1, 1e-4, month);
      }
    });
  }

  it("has power only from 0 to the curve's maximum, and no empty field except at the very end", async () => {
    const rows = await readRows("T1");
    const powers = rows.map((row) => Number(row[5]));
    assert(powers.every((power) => power >= 0 && power <= 2300 * 1.02));
    const gaps = rows.flatMap((row, i) => row.includes("") ? [i] : []);
    // The mean of the last hour would need the instant after it.
    assertEquals(gaps, [rows.length - 1]);
    assertEquals(rows.at(-1)!.slice(1).map((field) => field === ""), [
      false,
      false,
      false,
      false,
      true,
    ]);
  });
});

describe("openModelCsv()", () => {
  const zone = "Europe/Madrid";
  let folder: string;
  let model: string;
  let files: FolderFiles;

  beforeAll(async () => {
    sample = await serveSample();
    await sample.ask("/wind-index/calibrated/details/T7", { key: sample.keys.full });
    const shared = await openStorage(SHARED_SAMPLE);
    model = (await sitesOf(shared.store).turbine("T7"))!.modelFile!;
    await shared.store.close();
    folder = await Deno.makeTempDir();
    files = new FolderFiles(folder);
    await Deno.copyFile(shared.files.path(model), files.path(model));
  });
  afterAll(async () => {
    await sample.close();
    await Deno.remove(folder, { recursive: true });
  });

  const names = () => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

  /** Renders the CSV in a zone, and opens it. */
  async function render(timeZone = zone): Promise<ModelCsv> {
    await renderModelCsv(files, model, timeZone);
    return (await openModelCsv(files, model, timeZone))!;
  }

  it("finds no file before it is rendered, and then reads it from the disk", async () => {
    assertEquals(await openModelCsv(files, model, zone), undefined);
    const { file, offsets, start } = await render();
    const { path, name } = file;
    assertEquals(names(), [model, name, name.replace(/csv$/, "rows")]);
    assertEquals(name, `${model}.Europe-Madrid.csv`);
    assertEquals(start, Temporal.Instant.from("2005-01-01T00Z").epochMilliseconds);

    const { ino } = await Deno.stat(path);
    const again = (await openModelCsv(files, model, zone))!;
    assertEquals([again.file.hash, again.offsets, again.start], [file.hash, offsets, start]);
    assertEquals((await Deno.stat(path)).ino, ino, "it was written again");
  });

  it("knows where each of its rows begins", async () => {
    const { file: { path }, offsets } = await render();
    const bytes = await Deno.readFile(path);
    const text = (row: number) =>
      new TextDecoder().decode(bytes.subarray(offsets[row], offsets[row + 1]));
    assertEquals(offsets.at(-1), bytes.length);
    assertMatch(text(0), /^2005-01-01T01:00:00\+01:00,.*\n$/);
    assertMatch(text(offsets.length - 2), /^2026-01-01T01:00:00\+01:00,.*\n$/);
    assertEquals(new TextDecoder().decode(bytes.subarray(0, offsets[0])), `${HEADER}\n`);
  });

  it("of another zone is another file", async () => {
    const { path } = (await render("Asia/Kolkata")).file;
    assertMatch(path, /\.Asia-Kolkata\.csv$/);
    assertMatch(await Deno.readTextFile(path), /^.*\n2005-01-01T05:30:00\+05:30,/);
  });

  describe("if a file is damaged", () => {
    let csv: string;
    let rows: string;
    let intact: readonly [csv: Uint8Array<ArrayBuffer>, rows: Uint8Array<ArrayBuffer>];

    beforeAll(async () => {
      const { name } = (await render()).file;
      [csv, rows] = [files.path(name), files.path(name.replace(/csv$/, "rows"))];
      intact = [await Deno.readFile(csv), await Deno.readFile(rows)];
    });

    const flip = (path: string, at: number) => {
      const bytes = Deno.readFileSync(path);
      bytes[at] ^= 1;
      Deno.writeFileSync(path, bytes);
    };
    const damages: Readonly<Record<string, () => void>> = {
      "H1: one digit of the CSV changed": () => flip(csv, 1_000_000),
      "H1: the CSV is missing": () => Deno.removeSync(csv),
      "H1: the CSV is cut": () => Deno.truncateSync(csv, 1000),
      "H1: the rows are missing": () => Deno.removeSync(rows),
      "H1: a position is wrong": () => flip(rows, 4001),
      "H1: the first stamp is wrong": () => flip(rows, intact[1].length - 36),
      "H1: both belong to another zone": () => {
        for (const path of [csv, rows]) {
          Deno.copyFileSync(path.replace("Europe-Madrid", "Asia-Kolkata"), path);
        }
      },
      "H2: the rows are empty": () => Deno.truncateSync(rows, 0),
      "H2: the rows have a length that no positions have": () => Deno.truncateSync(rows, 1001),
      "H2: the rows have no more than a seal": () => Deno.truncateSync(rows, 32),
    };
    for (const [label, damage] of Object.entries(damages)) {
      it(`is not found if ${label}, and rendered again`, async () => {
        assert(await openModelCsv(files, model, "Asia/Kolkata"));
        assert(await openModelCsv(files, model, zone));
        damage();
        assertEquals(await openModelCsv(files, model, zone), undefined);
        await render();
        assertEquals([await Deno.readFile(csv), await Deno.readFile(rows)], intact);
      });
    }

    it("H1: works with a damaged model as long as the CSV is intact, and otherwise names the file that it needs", async () => {
      const original = await Deno.readFile(files.path(model));
      flip(files.path(model), 5000);
      assert(await openModelCsv(files, model, zone));
      await Deno.remove(csv);
      const error = await assertRejects(() => render(), DamagedFileError);
      assertMatch(
        error.message,
        /Cannot use \S+\.parquet: it is damaged, .*Restore it from a backup/,
      );
      await Deno.remove(files.path(model));
      await assertRejects(() => render(), DamagedFileError, "it is missing");
      await Deno.writeFile(files.path(model), original);
      await render();
    });
  });
});
