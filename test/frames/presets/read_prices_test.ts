import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { type PriceFormat, readPrices } from "../../../src/frames/presets/read_prices.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { displayOf } from "../../../src/show/check_frame.ts";

const hourly: PriceFormat = {
  ...{ column: "Price", time: "Hour", resolution: "hour", unit: "EUR/MWh" },
  time_zone: "Europe/Copenhagen",
};

/** Reads prices of a text. */
async function read(text: string, how: Partial<PriceFormat> = {}) {
  const file = await Deno.makeTempFile({ suffix: ".csv" });
  try {
    await Deno.writeTextFile(file, text);
    return await readPrices(file, { ...hourly, ...how });
  } finally {
    await Deno.remove(file);
  }
}

const pricesOf = async (text: string, how: Partial<PriceFormat> = {}) =>
  (await read(text, how)).getColumn("price").toArray();

describe("readPrices()", () => {
  it("reads hours over clock changes, negative prices and any currency", async () => {
    const autumn =
      "Hour,Price\n2024-10-27 01:00,10\n2024-10-27 02:00,-3.5\n2024-10-27 02:00,0\n2024-10-27 03:00,7\n";
    const frame = await read(autumn, { unit: "DKK/MWh" });
    assertEquals(frame.getColumn("price").toArray(), [10, -3.5, 0, 7]);
    assertEquals(displayOf(frame)?.columns.map(({ name, unit }) => [name, unit]), [
      ["time", undefined],
      ["price", "DKK/MWh"],
    ]);
    const spring = "Hour,Price\n2024-03-31 01:00,10\n2024-03-31 03:00,7\n";
    assertEquals(await pricesOf(spring), [10, 7]);
  });

  it("converts prices of a kWh, and cents", async () => {
    const text = "Hour,Price\n2024-01-01 00:00,8.45\n2024-01-01 01:00,-0.12\n";
    assertEquals(await pricesOf(text, { unit: "ct/kWh" }), [84.5, -1.2]);
    assertEquals(await pricesOf(text, { unit: "EUR/kWh" }), [8450, -120]);
  });

  it("reads quarters of an hour, even if each hour has one price, and months", async () => {
    const quarters = Array.from(
      { length: 96 },
      (_, i) =>
        `2025-10-01 ${String(Math.floor(i / 4)).padStart(2, "0")}:${
          ["00", "15", "30", "45"][i % 4]
        },${50 + Math.floor(i / 4)}\n`,
    );
    const frame = await read(`Hour,Price\n${quarters.join("")}`, { resolution: "15min" });
    assertEquals(frame.height, 96);
    assertEquals(provenance(frame).flatMap(({ notes = [] }) => notes), []);
    const months = await read("Month;Price\n2024-01;61,5\n2024-02;-2\n", {
      ...{ time: "Month", resolution: "month", decimal: "," },
      time_zone: undefined,
    });
    assertEquals(months.columns, ["month", "price"]);
    assertEquals(months.getColumn("price").toArray(), [61.5, -2]);
  });

  it("says how many prices are missing, and where the first gap is", async () => {
    const frame = await read(
      "Hour,Price\n2024-01-01 00:00,10\n2024-01-01 01:00,\n2024-01-01 04:00,3\n",
    );
    const [note] = provenance(frame).flatMap(({ notes = [] }) => notes);
    assertEquals(note, "3 of 5 prices are missing, the first at 2024-01-01T00:00Z");
  });

  it("refuses a unit that is not a price's, or that the header contradicts", async () => {
    const rows = "\n2024-01-01 00:00,10\n";
    const refused = (header: string, how: Partial<PriceFormat>) =>
      assertRejects(() => read(`${header}${rows}`, how), Error);
    assertStringIncludes(
      (await refused("Hour,Price", { unit: "EUR" })).message,
      'Give a unit such as "EUR/MWh"',
    );
    const dkk = await refused("Hour,Price DKK/MWh", { column: "Price DKK/MWh" });
    assertStringIncludes(dkk.message, 'implies DKK/MWh. Declare unit "DKK/MWh"');
    const kwh = await refused("Hour,Price /kWh", { column: "Price /kWh" });
    assertStringIncludes(kwh.message, 'implies EUR/kWh. Declare unit "EUR/kWh"');
    for (const name of ["Preis (Cent/kWh)", "Ct/kWh", "öre/kWh"]) {
      const cents = await refused(`Hour,${name}`, { column: name });
      assertStringIncludes(
        cents.message,
        'Declare "ct/kWh" for euro cents. For another currency, divide the prices by 100',
      );
    }
    const spot = await refused("Hour,SpotPriceEUR", { column: "SpotPriceEUR", unit: "DKK/MWh" });
    assertStringIncludes(spot.message, 'implies EUR/MWh. Declare unit "EUR/MWh"');
    const other = await refused("Hour,Price", { other_units: [] } as object);
    assertStringIncludes(other.message, "other_units: this field does not apply to prices");
    await assertRejects(
      () => readPrices("x.csv", undefined as never),
      ArgumentError,
      "Name the price column",
    );
    const day = await refused("Hour,Price", { resolution: "day" });
    assertStringIncludes(day.message, "Give hourly, sub-hourly or monthly prices");
    assertEquals(day instanceof ArgumentError, true);
  });
});
