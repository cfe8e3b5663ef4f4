/** Each preset on local time in October, on files that share a stamp, and on wrong turbines. Synthetic files. */
import type { DataFrame } from "nodejs-polars";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import type { PresetName } from "../../../src/frames/presets/presets.ts";
import { formatRemarks, provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn } from "../_text.ts";
import {
  edpFile,
  greenbyteFile,
  hillOfTowieFile,
  monthlyRegister,
  registerRows,
} from "./_files.ts";

const folder = await Deno.makeTempDir();
let count = 0;

async function write(name: string, bytes: Uint8Array): Promise<string> {
  await Deno.mkdir(`${folder}/${++count}`);
  await Deno.writeFile(`${folder}/${count}/${name}`, bytes);
  return `${folder}/${count}/${name}`;
}
const times = (frame: DataFrame) =>
  (listColumn(frame, "time") as Date[]).map((time) => time.toISOString().slice(11, 16));
const notes = (frame: DataFrame) => formatRemarks(provenance(frame)).join("; ");

/** Ten minutes of the clock in London from before the repeated hour to after it. */
const tens = ["01:00", "01:10", "01:20", "01:30", "01:40", "01:50"];
const night = ["00:50", ...tens, ...tens, "02:00", "02:10"];
const once = ["00:50", ...tens, "02:00", "02:10"];
const stampsOf = (clocks: readonly string[]) => clocks.map((clock) => `2023-10-29 ${clock}:00`);
/** The same times in UTC. */
const instants = [
  "23:50",
  ...tens.map((clock) => clock.replace("01", "00")),
  ...tens,
  "02:00",
  "02:10",
];

/** Writes rows of one turbine, stamp and power, in the layout of a preset. */
type Rows = readonly (readonly [stamp: string, power: string])[];

const presets: readonly {
  readonly preset: PresetName;
  readonly name: string;
  readonly turbine: string;
  readonly write: (rows: Rows) => Uint8Array;
  readonly repeats: boolean;
  /** How much later a stamp is than the start of its ten minutes, min. */
  readonly late: number;
}[] = [
  {
    preset: "greenbyte",
    name: "Turbine_Data_1.csv",
    turbine: "Kelmarsh 1",
    write: (rows) => greenbyteFile({ rows, zone: null }),
    repeats: true,
    late: 0,
  },
  {
    preset: "hill-of-towie",
    name: "tblSCTurGrid_2023_10.csv",
    turbine: "2304510",
    write: (rows) =>
      hillOfTowieFile(["2304510"], rows.map(([stamp]) => stamp), (_, row) => rows[row][1]),
    repeats: false,
    late: 10,
  },
  {
    preset: "edp",
    name: "scada.csv",
    turbine: "T01",
    write: (rows) => edpFile(rows.map(([stamp, power]) => `T01,${stamp},5.1,${power}`)),
    repeats: false,
    late: 0,
  },
];

for (const { preset, name, turbine, write: writeRows, repeats, late } of presets) {
  const how = { preset, time_zone: "Europe/London" } as const;
  const started = instants.map((clock) =>
    new Date(Date.parse(`2023-10-29T${clock}Z`) - late * 60_000).toISOString().slice(11, 16)
  );
  const rowsOf = (clocks: readonly string[], power = (i: number) => String(100 + i)): Rows =>
    stampsOf(clocks).map((stamp, i) => [stamp, power(i)]);

  describe(`readProduction() of ${preset} in a zone with summer time`, () => {
    it("H1: reads both passes of the repeated hour, in the order of the rows", async () => {
      const frame = await readProduction(await write(name, writeRows(rowsOf(night))), how);
      assertEquals(times(frame), started);
      assertEquals(listColumn(frame, "power"), night.map((_, i) => 100 + i));
    });

    it("H1: keeps the second pass empty if it is empty in the file", async () => {
      const rows = rowsOf(night, (i) => i > 6 && i < 13 ? "" : String(100 + i));
      const frame = await readProduction(await write(name, writeRows(rows)), how);
      assertEquals(times(frame), started);
      assertEquals(
        listColumn(frame, "power"),
        night.map((_, i) => i > 6 && i < 13 ? null : 100 + i),
      );
    });

    it("H1: refuses an hour that was exported once, by its line, even if rows are repeated", async () => {
      const copies = (rows: Rows) =>
        rows.flatMap(([stamp, power]): Rows => [[stamp, "NaN"], [stamp, "NaN"], [stamp, power]]);
      for (const rows of [rowsOf(once), ...(repeats ? [copies(rowsOf(once))] : [])]) {
        const path = await write(name, writeRows(rows));
        await assertRejects(
          () => readProduction(path, how),
          DataFormatError,
          "2023-10-29 01:00 may be either of two hours in Europe/London",
        );
      }
    });

    if (repeats) {
      it("H1: merges copies of a row within each pass", async () => {
        for (const empty of [false, true]) {
          const rows = rowsOf(night, (i) => empty && i > 6 && i < 13 ? "NaN" : String(100 + i))
            .flatMap(([stamp, power]): Rows => [[stamp, "NaN"], [stamp, "NaN"], [stamp, power]]);
          const frame = await readProduction(await write(name, writeRows(rows)), how);
          assertEquals(times(frame), started);
          assertEquals(
            listColumn(frame, "power"),
            night.map((_, i) => empty && i > 6 && i < 13 ? null : 100 + i),
          );
        }
      });
    }

    it("merges two files that share stamps of the repeated hour, and reports it", async () => {
      const rows = rowsOf(night);
      const paths = [
        await write(name, writeRows(rows)),
        await write(name, writeRows([...rows.slice(1), ["2023-10-29 02:20:00", "9"]])),
      ];
      const frame = await readProduction(paths, how);
      assertEquals(times(frame).slice(0, started.length), started);
      assertEquals(frame.height, started.length + 1);
      assert(notes(frame).includes("14 rows are in two files"), notes(frame));
    });

    it("M12: refuses wrong turbines", async () => {
      const path = await write(name, writeRows(rowsOf(night)));
      await assertTurbines(path, preset, turbine);
    });
  });
}

/** Checks the messages of every preset about unknown turbines. */
async function assertTurbines(path: string, preset: PresetName, turbine: string): Promise<void> {
  const wrong: [turbines: unknown, message: string][] = [
    [[], "turbines: is []. Name at least one turbine"],
    [5, "turbines: is 5. Give the names of the turbines"],
    [turbine, `turbines: is ${JSON.stringify(turbine)}. Give the names of the turbines`],
    [{ A: turbine, B: turbine }, "Name at least one turbine, each only once"],
    [["nobody"], `it has no turbine "nobody". It has "${turbine}"`],
  ];
  const zone = preset === "danish-register" ? {} : { time_zone: "Europe/London" };
  for (const [turbines, message] of wrong) {
    await assertRejects(
      () => readProduction(path, { preset, turbines, ...zone } as never),
      ArgumentError,
      message,
    );
  }
}

describe("readProduction() of danish-register", () => {
  afterAll(() => Deno.remove(folder, { recursive: true })); // the last suite
  const id = "570715000000064601";

  it("merges two files that share a month", async () => {
    const paths = [
      await write("maanedsdata_a.xlsx", await monthlyRegister({ 2019: { [id]: [1000, 2000] } })),
      await write(
        "maanedsdata_b.xlsx",
        await monthlyRegister({ 2019: { [id]: [1000, 2000] }, 2020: { [id]: [3000, null] } }),
      ),
    ];
    const frame = await readProduction(paths, "danish-register");
    assertEquals(listColumn(frame, "energy"), [1, 2, 3, null]);
  });

  it("L10: says which file is newer if a tentative month was revised", async () => {
    const first = await monthlyRegister({ 2019: { [id]: [1000, 2000] } });
    const [old, equal, later] = [
      await write("maanedsdata_a.xlsx", first),
      await write("maanedsdata_b.xlsx", await monthlyRegister({ 2019: { [id]: [1000, 2100] } })),
      await write(
        "maanedsdata_c.xlsx",
        await monthlyRegister({ 2019: { [id]: [1000, 2100] }, 2020: { [id]: [1, 1] } }),
      ),
    ];
    await assertRejects(
      () => readProduction([old, equal], "danish-register"),
      DataFormatError,
      `Cannot read ${equal}: sheet "Månedsprod_2019", cell C9: the energy is 2.1, but 2 at the same time in ${old}, ` +
        'sheet "Månedsprod_2019", cell C9. Later files revise preliminary months, so read only the newer file',
    );
    await assertRejects(
      () => readProduction([later, old], "danish-register"),
      DataFormatError,
      `read only ${later}, which has later months`,
    );
  });

  it("M3: reads turbines above a cell with GSRN, and below a repeated header", async () => {
    const turbines = ["57", "58", "59"].map((end) => "5707150000000646" + end);
    const [one, two, three] = turbines;
    const bytes = await registerRows([
      [one, "a", 1000, null],
      [two, "ny GSRN 60", 2000, null],
      ["GSRN", "Typebetegnelse", "2024-01", "2024-02"],
      [three, "GSRN", 3000, null],
    ]);
    const frame = await readProduction(await write("vinddata.xlsx", bytes), "danish-register");
    assertEquals([...new Set(listColumn(frame, "turbine_id"))], turbines);
    assertEquals(listColumn(frame, "energy").filter((energy) => energy !== null), [1, 2, 3]);
  });

  it("M4: leaves out totals and sentences in the column of identifiers, and counts them", async () => {
    const bytes = await registerRows([
      [id, "a", 100, 200],
      ["I alt", null, 100, 200],
      [12, null, 100, 200],
      ["Kilde: Energistyrelsen", null, null, null],
    ]);
    const frame = await readProduction(await write("vinddata.xlsx", bytes), "danish-register");
    assertEquals(listColumn(frame, "turbine_id"), [id, id]);
    assert(
      notes(frame).includes("3 rows do not name a turbine and are left out; the first is row 3"),
      notes(frame),
    );
    const none = await write("vinddata.xlsx", await registerRows([["12", "a", 100, 200]]));
    await assertRejects(
      () => readProduction(none, "danish-register"),
      DataFormatError,
      "no row below its header has an identifier of 18 digits",
    );
  });

  it("M12: refuses wrong turbines", async () => {
    const bytes = await monthlyRegister({ 2019: { [id]: [1000, 2000] } });
    await assertTurbines(await write("maanedsdata.xlsx", bytes), "danish-register", id);
  });
});
