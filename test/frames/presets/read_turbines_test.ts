import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { fromUtm32, readTurbines } from "../../../src/frames/presets/read_turbines.ts";
import { formatRemarks, provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn } from "../_text.ts";
import { monthlyRegister, newRegister, oldRegister } from "./_files.ts";

/** Turbines of the Danish register, on synthetic files with its traps. */

describe("fromUtm32()", () => {
  it("agrees with Redfearn's series and the integrated arc of the meridian to a millimetre", () => {
    // Computed by other formulas: the arc by Simpson's rule with 20,000 steps, the rest by Redfearn's series.
    const golden = [
      [55.49, 7.84, 426705.3191970633, 6149931.762664022],
      [55, 9, 500000, 6094791.420874727],
      [57.7, 10.6, 595359.0830357273, 6396436.57471126],
      [54.6, 12, 693780.8908102541, 6054418.163484389],
    ];
    for (const [latitude, longitude, east, north] of golden) {
      const place = fromUtm32(east, north);
      assert(Math.abs(place.latitude - latitude) < 1e-8, `${place.latitude} for ${latitude}`);
      assert(Math.abs(place.longitude - longitude) < 1.6e-8, `${place.longitude} for ${longitude}`);
    }
  });
});

describe("readTurbines()", () => {
  const folders: string[] = [];
  const write = async (bytes: Uint8Array) => {
    folders.push(await Deno.makeTempDir());
    await Deno.writeFile(`${folders.at(-1)}/anlaeg.xlsx`, bytes);
    return `${folders.at(-1)}/anlaeg.xlsx`;
  };
  const turbine = {
    id: "570715000000064601",
    connected: new Date(Date.UTC(2002, 10, 1)),
    east: 426705.319,
    north: 6149931.763,
    months: [1],
  };

  afterAll(async () => {
    for (const folder of folders) await Deno.remove(folder, { recursive: true });
  });

  it("reads both sheets by names in both languages, with line breaks; nulls stay null", async () => {
    const gone = {
      ...turbine,
      id: "570714700000000017",
      connected: "01-05-1980",
      decommissioned: "2003-02-28",
      east: null,
      north: null,
    };
    const frame = await readTurbines(
      await write(await oldRegister([turbine], [gone], 1)),
      "danish-register",
    );
    assertEquals(listColumn(frame, "turbine_id"), [turbine.id, gone.id]);
    const [latitude, none] = listColumn(frame, "latitude") as number[];
    assert(Math.abs(latitude - 55.49) < 1e-7, String(latitude));
    assertEquals(none, null);
    assertEquals(listColumn(frame, "name"), ["Vestas V80-2.0", "Vestas V80-2.0"]);
    assertEquals(listColumn(frame, "rated_power"), [2000, 2000]);
    const days = (name: string) =>
      (listColumn(frame, name) as (Date | null)[]).map((day) =>
        day?.toISOString().slice(0, 10) ?? null
      );
    assertEquals(days("connected"), ["2002-11-01", "1980-05-01"]);
    assertEquals(days("decommissioned"), [null, "2003-02-28"]);
  });

  it("reads the new layout, whose missing columns are null", async () => {
    const frame = await readTurbines(
      await write(await newRegister([{ ...turbine, months: [1, 2] }])),
      "danish-register",
    );
    assertEquals(listColumn(frame, "hub_height"), [70]);
    assertEquals(listColumn(frame, "rotor_diameter"), [null]);
  });

  it("M5: reads the folder of the register, and the new layout next to the old one", async () => {
    const path = await write(
      await oldRegister([turbine], [{ ...turbine, decommissioned: "2021-01-01", east: null }], 1),
    );
    const folder = path.replace("/anlaeg.xlsx", "");
    await Deno.writeFile(
      `${folder}/maanedsdata_2002_2020.xlsx`,
      await monthlyRegister({ 2019: { [turbine.id]: [1, 2] }, 2020: { [turbine.id]: [1, 2] } }),
    );
    await Deno.writeFile(
      `${folder}/vinddata.xlsx`,
      await newRegister([{ ...turbine, months: [1, 2] }]),
    );
    const frame = await readTurbines(folder, "danish-register");
    assertEquals(listColumn(frame, "name"), ["Vestas V80-2.0"]);
    assertEquals(listColumn(frame, "hub_height"), [70]);
    assertEquals(frame.getColumn("latitude").nullCount(), 0);
    assertEquals(frame.getColumn("decommissioned").nullCount(), 0);
    const notes = formatRemarks(provenance(frame)).join("; ");
    assert(
      notes.includes("2 rows repeat a turbine with the same values or none; Vindkit merged them"),
      notes,
    );
    assert(notes.includes("2 sheets contain only turbine identifiers"), notes);
    await assertRejects(
      () => readTurbines(`${folder}/maanedsdata_2002_2020.xlsx`, "danish-register"),
      DataFormatError,
      'sheet "Månedsprod_2019" identifies turbines but does not describe them',
    );
  });

  it("L6: refuses coordinates that are not in Denmark by their cell; 0 is missing", async () => {
    const none = await write(await oldRegister([{ ...turbine, east: 0, north: 0 }], [], 1));
    const frame = await readTurbines(none, "danish-register");
    assertEquals(listColumn(frame, "latitude"), [null]);
    const swapped = { ...turbine, east: turbine.north, north: turbine.east };
    const path = await write(await oldRegister([swapped], [], 1));
    await assertRejects(
      () => readTurbines(path, "danish-register"),
      DataFormatError,
      'sheet "IkkeAfmeldte-Existing turbines", cell J19: 6149931.763 m east is not within UTM zone 32 in Denmark',
    );
  });

  it("refuses a cell that is not a day, a turbine whose rows differ, and presets without a register", async () => {
    const badDate = await write(await oldRegister([{ ...turbine, connected: "soon" }], [], 1));
    await assertRejects(
      () => readTurbines(badDate, "danish-register"),
      DataFormatError,
      "cell B19: it is not a date",
    );
    const gone = { ...turbine, connected: new Date(Date.UTC(2003, 0, 1)) };
    const conflicting = await write(await oldRegister([turbine], [gone], 1));
    await assertRejects(
      () => readTurbines(conflicting, "danish-register"),
      DataFormatError,
      'sheet "Afmeldte-Decommissioned", row 19: turbine 570715000000064601 has the connected 2003-01-01, but ' +
        "2002-11-01 in another row",
    );
    await assertRejects(() => readTurbines(badDate, "greenbyte"), ArgumentError, "not a register");
  });
});
