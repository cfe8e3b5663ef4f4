/** Meter readings of several files, and of files that repeat rows. Synthetic. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { formatRemarks, provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn } from "../_text.ts";

const folder = await Deno.makeTempDir();
const how = {
  column: "meter",
  time: "time",
  resolution: "hour",
  unit: "kWh",
  counter: true,
} as const;

/** Writes hourly readings from a start. */
async function write(name: string, from: number, readings: readonly (number | "")[]) {
  const rows = readings.map((one, i) =>
    `2023-01-01T${String(from + i).padStart(2, "0")}:00Z,${one}\n`
  );
  await Deno.writeTextFile(`${folder}/${name}`, `time,meter\n${rows.join("")}`);
  return `${folder}/${name}`;
}

describe("convertReadings()", () => {
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("M6: counts the step between the last reading of a file and the first of the next", async () => {
    const files = [
      await write("m1.csv", 0, [100, 200, 300]),
      await write("m2.csv", 3, [450, 500, 600]),
    ];
    const frame = await readProduction(files, how);
    assertEquals(listColumn(frame, "power"), [100, 100, 150, 50, 100]);
    const shared = [files[0], await write("m3.csv", 2, [300, 450, 500])];
    assertEquals(listColumn(await readProduction(shared, how), "power"), [100, 100, 150, 50]);
    const other = [files[0], await write("m4.csv", 2, [310, 450])];
    await assertRejects(
      () => readProduction(other, how),
      DataFormatError,
      'm4.csv: line 2, column "meter": the reading is 310, but 300 at the same time in',
    );
  });

  it("M6: leaves the step empty if files have a gap, or the meter was replaced between them", async () => {
    const first = await write("m1.csv", 0, [100, 200, 300]);
    const later = await readProduction([first, await write("m5.csv", 4, [450, 500])], how);
    assertEquals(listColumn(later, "power"), [100, 100, null, 50]);
    const replaced = await readProduction([first, await write("m6.csv", 3, [5, 25])], how);
    assertEquals(listColumn(replaced, "power"), [100, 100, null, 20]);
    const notes = formatRemarks(provenance(replaced)).join("; ");
    assert(notes.includes('m6.csv: line 2, column "meter": the meter shows less than'), notes);
    const reset = [
      await write("m7.csv", 0, [100, 200, 3]),
      await write("m8.csv", 3, [5, 25]),
    ];
    await assertRejects(
      () => readProduction(reset, how),
      DataFormatError,
      'm7.csv: line 4, column "meter": the meter shows 3, after 200',
    );
  });

  it("M6: reads the December of a monthly meter with files of a year", async () => {
    const path = (year: number) => `${folder}/${year}.csv`;
    for (const year of [2021, 2022]) {
      const rows = Array.from({ length: 12 }, (_, i) => {
        const month = String(i + 1).padStart(2, "0");
        return `${year}-${month},${1000 * (12 * (year - 2021) + i)}\n`;
      });
      await Deno.writeTextFile(path(year), `time,meter\n${rows.join("")}`);
    }
    for (const stamp of ["start", "end"] as const) {
      const frame = await readProduction([path(2021), path(2022)], {
        ...how,
        resolution: "month",
        stamp,
      });
      assertEquals(listColumn(frame, "energy"), Array(23).fill(1));
      const [month] = listColumn(frame, "month") as Date[];
      assertEquals(month.toISOString().slice(0, 7), stamp === "start" ? "2021-01" : "2021-02");
    }
  });

  it("M6: merges repeated rows of meter readings before it takes differences", async () => {
    const rows = Array.from(
      { length: 6 },
      (_, i) => [NaN, 1000 + 100 * i, NaN].map((one) => `2023-01-01 00:${i}0:00,NaN,${one}\n`),
    ).flat();
    await Deno.writeTextFile(
      `${folder}/Turbine_Data_1.csv`,
      "# Turbine: K1\n# Time zone: UTC\n#\n# Date and time,Power (kW),Counter (kWh)\n" +
        rows.join(""),
    );
    const frame = await readProduction(`${folder}/Turbine_Data_1.csv`, {
      preset: "greenbyte",
      column: "Counter (kWh)",
      unit: "kWh",
      counter: true,
    });
    assertEquals(listColumn(frame, "power"), Array(5).fill(600));
    assertEquals(listColumn(frame, "turbine_id"), Array(5).fill("K1"));
  });

  it("M6: keeps the readings of turbines side by side apart", async () => {
    await Deno.writeTextFile(
      `${folder}/two.csv`,
      "time,a,b\n2023-01-01T00:00Z,1,100\n2023-01-01T01:00Z,3,50\n",
    );
    const column = { A: "a", B: "b" };
    await assertRejects(
      () => readProduction(`${folder}/two.csv`, { ...how, column }),
      DataFormatError,
      'two.csv: line 3, column "b": the meter shows 50, after 100',
    );
    await Deno.writeTextFile(
      `${folder}/three.csv`,
      "time,a,b\n2023-01-01T02:00Z,7,110\n2023-01-01T03:00Z,8,150\n",
    );
    await Deno.writeTextFile(
      `${folder}/two.csv`,
      "time,a,b\n2023-01-01T00:00Z,1,100\n2023-01-01T01:00Z,3,105\n",
    );
    const frame = await readProduction([`${folder}/two.csv`, `${folder}/three.csv`], {
      ...how,
      column,
    });
    assertEquals(listColumn(frame, "power"), [2, 4, 1, 5, 5, 40]);
    assertEquals(listColumn(frame, "turbine_id"), ["A", "A", "A", "B", "B", "B"]);
  });
});
