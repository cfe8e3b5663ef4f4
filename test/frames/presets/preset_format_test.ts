/** Fields that callers may add to a preset. */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { afterAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { planReading } from "../../../src/frames/presets/preset_format.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { formatRemarks, provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn } from "../_text.ts";
import { greenbyteFile, tenMinutes } from "./_files.ts";

const folder = await Deno.makeTempDir();
const write = async (name: string, file: Parameters<typeof greenbyteFile>[0]) => {
  await Deno.writeFile(`${folder}/${name}`, greenbyteFile(file));
  return `${folder}/${name}`;
};
const march = tenMinutes("2016-03-01 00:00:00", ["1", "2"]);

describe("planReading()", () => {
  it("M12: refuses a column of turbines if the file names its turbine", () => {
    assertThrows(
      () => planReading("k.csv", { preset: "greenbyte", turbine: "Dev" }),
      ArgumentError,
      "turbine: the lines above the table already name the turbine. Omit this field",
    );
  });

  it("L11: says that the preset is missing", () => {
    assertThrows(
      () => planReading("k.csv", { preset: undefined } as never),
      ArgumentError,
      "the preset is missing. Use one of the presets greenbyte",
    );
  });
});

describe("readProduction() of Greenbyte with other fields", () => {
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("M13: refuses a turbine for a column if the file names another turbine", async () => {
    const path = await write("Turbine_Data_2.csv", { rows: march, turbine: "Kelmarsh 2" });
    await assertRejects(
      () => readProduction(path, { preset: "greenbyte", column: { T1: "Power (kW)" } }),
      ArgumentError,
      'its header already names the turbine "Kelmarsh 2", so "column" must not name one. ' +
        'Give column: "Power (kW)", turbines: {"T1":"Kelmarsh 2"}',
    );
    const how = { preset: "greenbyte", column: "Power (kW)", turbines: { T1: "Kelmarsh 2" } };
    const frame = await readProduction(path, how as never);
    assertEquals(listColumn(frame, "turbine_id"), ["T1", "T1"]);
  });

  it("L3: refuses files without rows, and reports one among others", async () => {
    const empty = await write("Turbine_Data_e.csv", { rows: [] });
    await assertRejects(
      () => readProduction(empty, "greenbyte"),
      DataFormatError,
      "it has no rows",
    );
    const frame = await readProduction(
      [empty, await write("Turbine_Data_f.csv", { rows: march })],
      "greenbyte",
    );
    assertEquals(listColumn(frame, "power"), [1, 2]);
    const notes = formatRemarks(provenance(frame)).join("; ");
    assert(notes.includes("Turbine_Data_e.csv: it has no rows"), notes);
  });
});
