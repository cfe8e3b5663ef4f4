/**
 * Power curves as found in practice: in other units, with a units row, of WAsP, in tables of other layouts. Following a
 * message's advice must give the turbine's curve, which is the same in all files of `ugly/`.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { SiteTurbine } from "../../../src/sites/declaration/site_file.ts";
import { readTurbine } from "../../../src/sites/power_curves/read_turbine.ts";
import { SourceFiles } from "../../../src/sites/source_files.ts";

const UGLY = new URL("../ugly/", import.meta.url).pathname;

const SPEEDS = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 25];
const POWERS = [0, 73, 189, 364, 605, 919, 1300, 1690, 2010, 2200, 2280, 2300, 2300];

const CURVE = SPEEDS.map((wind_speed, i) => ({ wind_speed, power: POWERS[i] }));

async function read(
  power_curve: object,
  folder = UGLY,
  rated_power = 2300,
): Promise<{ wind_speed: number; power: number }[]> {
  const turbine = {
    ...{ id: "T1", name: "T1", latitude: 55.5, longitude: 8, elevation: 0, hub_height: 80 },
    ...{ rotor_diameter: 92, rated_power, units: 1, time_zone: "UTC", power_control: "pcPitch" },
    ...{ power_curve, production: [], exclude: [] },
  } as SiteTurbine;
  const files = new SourceFiles({ folder, frames: new Map() });
  return [...(await readTurbine(turbine, files)).powerCurve];
}

const columns = { wind_speed: "wind_speed", power: "power" };

async function refused(power_curve: object, rated?: number): Promise<string> {
  const { message } = await assertRejects(() => read(power_curve, UGLY, rated), Error);
  return message.replaceAll(UGLY, "");
}

/** Reads a file of `ugly/` after changing its text as a message advises. */
async function readChanged(
  power_curve: { readonly file: string; readonly [field: string]: string },
  change: (text: string) => string,
): Promise<{ wind_speed: number; power: number }[]> {
  const folder = await Deno.makeTempDir();
  try {
    const { file } = power_curve;
    const text = await Deno.readTextFile(UGLY + file);
    await Deno.writeTextFile(`${folder}/${file}`, change(text));
    return await read(power_curve, folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function assertCurve(points: readonly { wind_speed: number; power: number }[], reach = 1e-9): void {
  assertEquals(points.map(({ wind_speed }) => wind_speed), SPEEDS);
  points.forEach(({ power }, i) => assertAlmostEquals(power, POWERS[i], reach));
}

describe("SI2 a power curve in another unit", () => {
  for (
    const [file, unit, problem] of [
      ["c01_watt.csv", "W", "2300000 kW, 100000 %"],
      ["c02_mw.csv", "MW", "2.3 kW, 0.1 %"],
    ]
  ) {
    it(`SI2 is rejected if it is in ${unit}, and read once that is declared`, async () => {
      assertEquals(
        await refused({ file, ...columns }),
        `Cannot use the power curve of ${file} for T1: its largest power is ${problem} of the rated ` +
          `power of 2300 kW, so the powers are probably in ${unit}. Declare "unit": "${unit}"`,
      );
      assertCurve(await read({ file, ...columns, unit }));
    });
  }

  it("SI2 is rejected if it is per unit, and read once multiplied as the message advises", async () => {
    const curve = { file: "c03_perunit.csv", ...columns };
    assertEquals(
      await refused(curve),
      "Cannot use the power curve of c03_perunit.csv for T1: its largest power is 1 kW, 0.0435 % of " +
        "the rated power of 2300 kW, so the powers are probably in shares of the rated power. Multiply them by 2300",
    );
    const times = (text: string) =>
      text.replaceAll(/,([\d.]+)/g, (_, power) => `,${Number(power) * 2300}`);
    assertCurve(await readChanged(curve, times), 0.2);
  });

  it("SI2 is rejected among declared points, with the factor", async () => {
    const percent = CURVE.map((point) => ({ ...point, power: point.power / 23 }));
    assertEquals(
      await refused(percent),
      "Cannot use the power curve for T1: its largest power is 100 kW, 4.35 % of the rated power of " +
        "2300 kW, so the powers are probably in %. Multiply them by 23",
    );
    assertCurve(await read(percent.map((point) => ({ ...point, power: point.power * 23 }))));
  });

  it("SI2 is rejected if it belongs to another turbine", async () => {
    assertEquals(
      await refused(CURVE, 6000),
      "Cannot use the power curve for T1: its largest power is 2300 kW, 38.3 % of the rated power of " +
        "6000 kW. Check the power column and rated_power",
    );
    assertEquals(await read(CURVE, UGLY, 4600), CURVE, "half of the rated power is a noise mode");
  });

  it("SI2 is rejected if its wind speeds are in km/h", async () => {
    const kmh = CURVE.map((point) => ({ ...point, wind_speed: point.wind_speed * 3.6 }));
    assertEquals(
      await refused(kmh),
      "Cannot use the power curve for T1: it has half of its largest power only at 31 m/s, so the wind " +
        "speeds look like km/h, mph or knots. Convert them to m/s",
    );
    // 1.8 times 8.6 m/s is below 16 m/s, but no turbine runs at 45 m/s.
    const soft = CURVE.map(({ wind_speed, power }) => ({ wind_speed: wind_speed * 1.8, power }));
    assertEquals(
      await refused(soft),
      "Cannot use the power curve for T1: it has power at 45 m/s, so the wind speeds look like km/h, mph " +
        "or knots. Convert them to m/s",
    );
    assertCurve(
      await read(
        kmh.map((point) => ({ ...point, wind_speed: Math.round(point.wind_speed / 3.6) })),
      ),
    );
  });
});

describe("SI2 a unit in the header of a power curve", () => {
  const named = { wind_speed: "Wind speed (m/s)", power: "Power (W)" };

  it("SI2 is compared with the declared one", async () => {
    const curve = { file: "c16_wheader.csv", ...named };
    assertEquals(
      await refused(curve),
      'Cannot read c16_wheader.csv: column "Power (W)" says W, but its powers look like kW. ' +
        "Rename the column if they are in kW",
    );
    const rename = (text: string) => text.replace("(W)", "(kW)");
    assertCurve(await readChanged({ ...curve, ...named, power: "Power (kW)" }, rename));
  });

  it("SI2 is read once declared as the message advises", async () => {
    const curve = { file: "c01_watt.csv", ...named };
    const inWatts = (text: string) =>
      text.replace("wind_speed,power", "Wind speed (m/s),Power (W)");
    const { message } = await assertRejects(() => readChanged(curve, inWatts), Error);
    assertEquals(
      message,
      'Cannot read c01_watt.csv: column "Power (W)" says W, but its powers are read as kW. Declare ' +
        '"unit": "W"',
    );
    assertCurve(await readChanged({ ...curve, unit: "W" }, inWatts));
  });

  it("SI2 is rejected for wind speeds if it is not m/s", async () => {
    const curve = { file: "c02_mw.csv", wind_speed: "Wind (km/h)", power: "power", unit: "MW" };
    const inKmh = (text: string) => text.replace("wind_speed", "Wind (km/h)");
    const { message } = await assertRejects(() => readChanged(curve, inKmh), Error);
    assertEquals(
      message,
      'Cannot read c02_mw.csv: column "Wind (km/h)" says km/h, but m/s is needed. Convert the column to m/s, and rename it',
    );
    const converted = (text: string) =>
      inKmh(text.replace(/^\d+/gm, (speed) => `${Number(speed) * 3.6}`));
    const inMetres = (text: string) =>
      converted(text).replace("(km/h)", "(m/s)")
        .replace(/^[\d.]+/gm, (speed) => `${Math.round(Number(speed) / 3.6)}`);
    assertCurve(await readChanged({ ...curve, wind_speed: "Wind (m/s)" }, inMetres));
  });

  it("SI2 also counts if the column is declared without it, or it is of another quantity", async () => {
    const curve = { file: "c01_watt.csv", wind_speed: "Wind speed", power: "Power" };
    const inWatts = (text: string) =>
      text.replace("wind_speed,power", "Wind speed [m/s],Power [W]");
    const { message } = await assertRejects(() => readChanged(curve, inWatts), Error);
    assertEquals(
      message,
      'Cannot read c01_watt.csv: column "Power [W]" says W, but its powers are read as kW. Declare ' +
        '"unit": "W"',
    );
    assertCurve(await readChanged({ ...curve, unit: "W" }, inWatts));
    const swapped = { ...curve, wind_speed: "Power", power: "Wind speed", unit: "W" };
    const other = await assertRejects(() => readChanged(swapped, inWatts), Error);
    assertEquals(
      other.message,
      'Cannot read c01_watt.csv: column "Wind speed [m/s]" is in m/s, a unit of speed, not of power. ' +
        "Declare the column with the power",
    );
  });

  it("SI2 is not found in a name with other words in brackets", async () => {
    const curve = {
      file: "c02_mw.csv",
      wind_speed: "Wind speed (hub)",
      power: "P (mean)",
      unit: "MW",
    };
    const change = (text: string) => text.replace("wind_speed,power", "Wind speed (hub),P (mean)");
    assertCurve(await readChanged(curve, change));
  });

  it("SI2 may be in a row below the header", async () => {
    const curve = { file: "c06_units_row.csv", wind_speed: "Wind speed", power: "Power" };
    assertCurve(await read(curve));
    const { message } = await assertRejects(
      () => readChanged(curve, (text) => text.replace("m/s;kW", "m/s;MW")),
      Error,
    );
    assertEquals(
      message,
      'Cannot read c06_units_row.csv: column "Power" says MW, but its powers look like kW. Rename the ' +
        "column if they are in kW",
    );
    const empty = await assertRejects(
      () => readChanged(curve, (text) => text.replace("m/s;kW\n3,0;0,0", "m/s;kW\n3,0;-")),
      Error,
    );
    assertEquals(
      empty.message,
      'Cannot read c06_units_row.csv: line 3, column "Power" is empty. Fill the cell, or remove the row',
    );
  });
});

describe("SI2 a power curve in another layout", () => {
  it("SI2 is read from a .wtg of WAsP", async () => {
    assertCurve(await read({ file: "c13.wtg" }));
    const withTables = (densities: readonly number[]) => (text: string) =>
      text.replace(
        /<PerformanceTable.*<\/PerformanceTable>/,
        (table) => densities.map((density) => table.replace("1.225", `${density}`)).join("\n"),
      );
    assertCurve(await readChanged({ file: "c13.wtg" }, withTables([1.1, 1.225])));
    const { message } = await assertRejects(
      () => readChanged({ file: "c13.wtg" }, withTables([1.1, 1.2])),
      Error,
    );
    assertEquals(
      message,
      'Cannot read c13.wtg: it has no curve at 1.225 kg/m3, only at "1.1", "1.2". Use the ' +
        "curve at 1.2 kg/m3. Save the curve as CSV with its wind speeds multiplied by 0.993",
    );
    const saved = SPEEDS.map((speed, i) => `${(0.993 * speed).toFixed(3)},${1000 * POWERS[i]}`);
    const points = await readChanged(
      { file: "c01_watt.csv", ...columns, unit: "W" },
      () => ["wind_speed,power", ...saved].join("\n"),
    );
    assertEquals(points.map(({ power }) => power), POWERS);
  });

  it("SI2 is rejected with its format if it is a .pow of WAsP or another XML", async () => {
    assertEquals(
      await refused({ file: "c14.pow", ...columns }),
      "Cannot read c14.pow: it is a .pow file of WAsP, which has powers without wind speeds. Save it " +
        "as CSV with a column for the wind speed and a column for the power",
    );
    const saved = await readChanged(
      { file: "c01_watt.csv", ...columns },
      () => ["wind_speed,power", ...CURVE.map((point) => Object.values(point).join())].join("\n"),
    );
    assertCurve(saved); // a .pow has powers at integer m/s
    const curve = { file: "c01_watt.csv", ...columns };
    const { message } = await assertRejects(
      () => readChanged(curve, () => '<?xml version="1.0"?>\n<Turbines version="2"/>\n'),
      Error,
    );
    assertEquals(
      message,
      "Cannot read c01_watt.csv: it is XML (Turbines), not a table. Save its values as a table in CSV",
    );
  });

  it("SI2 is read from a table by density, and a table by wind speeds is rejected with a remedy", async () => {
    assertCurve(await read({ file: "c08_density.csv", wind_speed: "wind_speed", power: "1.225" }));
    const thin = { file: "c08_density.csv", wind_speed: "wind_speed", power: "1.10" };
    assertEquals(
      await refused(thin),
      'Cannot read c08_density.csv: column "1.10" is the curve at 1.1 kg/m3, but a curve at 1.225 is needed. ' +
        "Declare the column of 1.225 if there is one. Save the curve as CSV with its wind speeds multiplied " +
        "by 0.965 if there is none",
    );
    const advice =
      "If it has a column for each wind speed, transpose it to a row for each wind speed. " +
      "If it has a column for each air density, declare the column of 1.225 kg/m3 as the power";
    for (const file of ["c08_density.csv", "c11_wide.csv"]) {
      const message = await refused({ file, ...columns });
      assertEquals(message.slice(-advice.length), advice);
    }
    const transpose = (text: string) => {
      const [names, values] = text.trim().split("\n").map((line) => line.split(",").slice(3));
      return ["wind_speed,power", ...names.map((name, i) => `${name},${values[i]}`)].join("\n");
    };
    assertCurve(
      await readChanged({ file: "c11_wide.csv", ...columns, unit: "W" }, transpose),
    );
  });
});
