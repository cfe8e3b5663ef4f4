/**
 * Numbers that contradict their declaration: each is refused, and following the advice of the message gives the right
 * figures.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import type { ProductionFormat } from "../../../src/frames/production/production.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn } from "../_text.ts";

const HOURLY: ProductionFormat = {
  column: "P",
  time: "time",
  resolution: "hour",
  unit: "kW",
  time_zone: "UTC",
};

/** Powers that rise and fall, with decimals, kW. */
const powerAt = (i: number) => Math.round(10_000 * (1 + Math.sin(i / 5)) + 1) / 20;

/** Reads rows of hours, or of parts of them, from the beginning of 2023. */
async function read(values: readonly (number | string)[], how: ProductionFormat, minutes = 60) {
  const rows = values.map((value, i) =>
    `${new Date(Date.UTC(2023, 0, 1, 0, minutes * i)).toISOString().slice(0, 16)},${value}`
  );
  const file = await Deno.makeTempFile({ suffix: ".csv" });
  try {
    await Deno.writeTextFile(file, `time,P\n${rows.join("\n")}\n`);
    return listColumn(await readProduction(file, how), "power") as (number | null)[];
  } finally {
    await Deno.remove(file);
  }
}

async function refused(...how: Parameters<typeof read>): Promise<string> {
  const { message } = await assertRejects(() => read(...how), Error);
  return message.replace(/^.*?\.csv: line \d+(?:, column "P")?: /, "");
}

const sum = (values: readonly (number | null)[]) =>
  values.reduce((all: number, value) => all + (value ?? 0), 0);

const year = Array.from({ length: 2000 }, (_, i) => powerAt(i));

describe("SI2 numbers that mean missing", () => {
  const isMarked = (i: number) => i % 50 === 7;

  it("SI2 are named, and are null once they are declared", async () => {
    for (const mark of [-999, 9999, -99.99, 32767, -1]) {
      const marked = year.map((value, i) => isMarked(i) ? mark : value);
      assertEquals(
        await refused(marked, HOURLY),
        `the value ${mark} occurs 40 times, far from all others, so it probably means missing. Declare ` +
          `null_values [${mark}], or [] if it was measured`,
      );
      const powers = await read(marked, { ...HOURLY, null_values: [mark] });
      assertEquals(powers.filter((value) => value === null).length, 40);
      assertAlmostEquals(sum(powers), sum(year.filter((_, i) => !isMarked(i))), 1e-6);
      assertEquals((await read(marked, { ...HOURLY, null_values: [] }))[7], mark);
    }
  });

  it("SI2 are not found if a turbine consumes power in calms, or powers are rounded", async () => {
    const consumption = year.map((value, i) => isMarked(i) ? -1 - i / 1000 : value);
    assertEquals((await read(consumption, HOURLY)).length, 2000);
    const rounded = year.map((value, i) => isMarked(i) ? -1 : Math.round(value));
    assertEquals((await read(rounded, HOURLY))[7], -1);
    const full = year.map((value) => Math.min(value, 999));
    assertEquals(Math.max(...await read(full, HOURLY) as number[]), 999);
  });
});

describe("SI10 values that are readings of a meter", () => {
  /** Cumulative energies, kWh, which restart from 0 at the given rows. */
  const addUp = (restarts: (i: number) => boolean) => {
    let total = 0;
    return year.map((value, i) => total = (restarts(i) ? 0 : total) + value);
  };
  const energies: ProductionFormat = { ...HOURLY, unit: "kWh" };

  it("SI10 are named with the counter to declare, which gives the energies", async () => {
    for (
      const [restarts, counter, name, unknown] of [
        [() => false, true, "true", 0],
        [(i: number) => i % 720 === 0, "resets", '"resets"', 2],
        [(i: number) => i % 24 === 12, "daily", '"daily"', 83],
      ] as const
    ) {
      const readings = addUp(restarts);
      assertEquals(
        await refused(readings, energies),
        `the values rise from row to row, so they are probably meter readings. Declare counter ${name}, ` +
          "or false if they are not readings",
      );
      assertEquals((await read(readings, { ...energies, counter: false })).length, 2000);
      const produced = await read(readings, { ...energies, counter });
      assertEquals(produced.length, 1999);
      assertEquals(produced.filter((value) => value === null).length, unknown);
      produced.forEach((value, i) =>
        value === null || assertAlmostEquals(value, year[i + 1], 1e-6)
      );
    }
  });

  it("SI10 are not real if the meter shows 0 and then continues", async () => {
    const readings = addUp(() => false).map((value, i) => i === 700 || i === 1200 ? 0 : value);
    for (const counter of [true, "resets"] as const) {
      assertEquals(
        (await refused(readings, { ...energies, counter })).replace(/between .* and .*: it/, "…"),
        "the meter shows 0, … was probably not read. Declare null_values [0], or remove the row",
      );
      const produced = await read(readings, { ...energies, counter, null_values: [0] });
      assertEquals(produced.filter((value) => value === null).length, 4);
      assertAlmostEquals(produced[800]!, year[801], 1e-6);
    }
  });
});

describe("SI4 the energy of an hour in all of its rows", () => {
  it("SI4 is added up, with a note that each may be the energy of the whole hour", async () => {
    const tens = Array.from({ length: 6 * 200 }, (_, i) => year[Math.floor(i / 6)]);
    const rows = tens.map((value, i) =>
      `${new Date(Date.UTC(2023, 0, 1, 0, 10 * i)).toISOString().slice(0, 16)},${value}`
    );
    const file = await Deno.makeTempFile({ suffix: ".csv" });
    const how = { ...HOURLY, unit: "kWh", resolution: "10min" } as const;
    try {
      await Deno.writeTextFile(file, `time,P\n${rows.join("\n")}\n`);
      for (
        const [format, noted] of [[how, true], [{ ...how, unit: "kW" as const }, false]] as const
      ) {
        for (const form of [format, { ...format, decimal: "." as const }]) {
          const frame = await readProduction(file, form);
          const notes = provenance(frame).flatMap((source) => source.notes ?? []);
          assertEquals(notes.some((note) => note.includes("keep one row of each hour")), noted);
        }
      }
    } finally {
      await Deno.remove(file);
    }
    assertEquals(
      await read(year.slice(0, 200), { ...how, resolution: "hour" }),
      year.slice(0, 200),
    );
  });
});

describe("SI10 a thousands mark after a 0", () => {
  it("SI10 is the decimal mark", async () => {
    const values = ["0.412", "1.840", "0.670"];
    const how: ProductionFormat = { ...HOURLY, unit: "MW", decimal: ",", thousands: "." };
    assertEquals(
      await refused(values, how),
      '"0.412" has a 0 before the declared thousands mark ".", which is probably the decimal mark. Correct "decimal" ' +
        'and "thousands"',
    );
    const { thousands: _, ...correct } = how;
    assertEquals(await read(values, { ...correct, decimal: "." }), [412, 1840, 670]);
  });
});
