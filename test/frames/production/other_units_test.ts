import { assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { type ProductionFormat, readProduction } from "../../../mod.ts";
import { ArgumentError } from "../../../src/api/errors.ts";

describe("SI3 other_units of production", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  const HOURS = { column: "value", time: "time", resolution: "hour", unit: "kW" } as const;
  const MONTHS = { ...HOURS, resolution: "month", unit: "MWh" } as const;

  async function read(rows: readonly string[], how: ProductionFormat): Promise<unknown[]> {
    const path = `${folder}/production.csv`;
    await Deno.writeTextFile(path, ["time,value", ...rows, ""].join("\n"));
    return (await readProduction(path, how)).getColumn(
      how.resolution === "month" ? "energy" : "power",
    ).toArray();
  }

  it("SI3 may be days in the zone of the stamps, both included, or hours", async () => {
    const rows = ["2023-05-01T22:00", "2023-05-01T23:00", "2023-05-02T00:00", "2023-05-02T01:00"]
      .map((time) => `${time},2`);
    const how = { ...HOURS, time_zone: "Europe/Copenhagen" };
    const units = (from: string, to: string) => ({
      ...how,
      other_units: [{ from, to, unit: "MW" as const }],
    });
    assertEquals(await read(rows, units("2023-05-02", "2023-05-02")), [2, 2, 2000, 2000]);
    assertEquals(await read(rows, units("2023-04", "2023-05")), [2000, 2000, 2000, 2000]);
    assertEquals(await read(rows, units("2023-05-01T23:00", "2023-05-02T00:00")), [
      2,
      2000,
      2000,
      2,
    ]);
    assertEquals(await read(rows, units("2022", "2022")), [2, 2, 2, 2]);
    // A stamp at the end belongs to the hour before.
    assertEquals(
      await read(rows, { ...units("2023-05-02", "2023-05-02"), stamp: "end" }),
      [2, 2, 2, 2000],
    );
  });

  it("SI3 may be months, and energies of ten minutes if the rest is power", async () => {
    const rows = ["2023-01,400", "2023-02,300000", "2023-03,0.5"];
    assertEquals(
      await read(rows, {
        ...MONTHS,
        other_units: [
          { from: "2023-02", to: "2023-02", unit: "kWh" },
          { from: "2023-03", to: "2023-03", unit: "GWh" },
        ],
      }),
      [400, 300, 500],
    );
    const steps = ["2023-05-01T00:00Z,120", "2023-05-01T00:10Z,20"];
    assertEquals(
      await read(steps, {
        ...HOURS,
        resolution: "10min",
        other_units: [{ from: "2023-05-01T00:10Z", to: "2023-05-01T23:00Z", unit: "kWh" }],
      }),
      [120, 120],
    );
  });

  const faults: readonly [
    string,
    ProductionFormat["other_units"],
    Partial<ProductionFormat>,
    string,
  ][] = [
    [
      "overlap",
      [
        { from: "2023-01", to: "2023-03", unit: "kWh" },
        { from: "2023-03", to: "2023-04", unit: "kWh" },
      ],
      {},
      "2023-03 to 2023-04 overlaps another period. Give each period once",
    ],
    [
      "are finer than a row",
      [{ from: "2023-01-15", to: "2023-02", unit: "kWh" }],
      {},
      '2023-01-15 to 2023-02 does not consist of whole months. Give whole months or years, such as "2023-03"',
    ],
    [
      "are powers in months",
      [{ from: "2023-01", to: "2023-02", unit: "kW" }],
      {},
      "the unit of a month's production is an energy, not kW. Use kWh or MWh",
    ],
    [
      "end before they begin",
      [{ from: "2023-03", to: "2023-02", unit: "kWh" }],
      {},
      '"from" (2023-03) is after "to" (2023-02)',
    ],
    [
      "belong to a meter",
      [{ from: "2023-01", to: "2023-02", unit: "kWh" }],
      { counter: true },
      "meter readings have one unit. Name the files of each unit in a separate entry",
    ],
  ];
  for (const [name, other_units, more, message] of faults) {
    it(`SI3 are refused if they ${name}`, async () => {
      await assertRejects(
        () => read(["2023-01,400"], { ...MONTHS, ...more, other_units }),
        ArgumentError,
        message,
      );
    });
  }
});
