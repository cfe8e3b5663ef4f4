/**
 * Climate with marks for missing values, and with hours that belong to other times. The tests follow the advice of the
 * messages.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  assertWind,
  directions,
  folder,
  named,
  place,
  random,
  read,
  refused,
  type Source,
  speedsOf,
  useFolder,
  wind,
  write,
  writeWind,
} from "./_climate_files.ts";
import { importFile, withSite } from "../_site.ts";

describe("climate hours", () => {
  useFolder();

  describe("SI2 marks for missing values in climate", () => {
    const isMissing = (i: number) => i % 97 === 0;
    const expected = wind.map((speed, i) => isMissing(i) ? NaN : speed);
    const source = (null_values?: (string | number)[]): Source => ({
      files: ["marks.csv"],
      ...place,
      variables: named(),
      ...(null_values ? { null_values } : {}),
    });
    /** Declares marks of one variable. */
    const inVariable = (name: keyof ReturnType<typeof named>, ...null_values: number[]): Source => {
      const variables = named();
      return {
        ...source(),
        variables: { ...variables, [name]: { ...variables[name], null_values } },
      };
    };
    for (const mark of [9999, -999, -9999, 999, 99.99, 32767, -32768, 1e20]) {
      it(`SI2 ${mark} is named, and counts as missing once declared`, async () => {
        await writeWind("marks.csv", (speed, i) => isMissing(i) ? mark : speed);
        await refused(
          source(),
          `Cannot use marks.csv: column "wind_speed_100": row 1 is ${
            mark === 1e20 ? "100000000000000000000" : mark
          } m/s, outside of 0 to 75. Add "null_values": [${mark}] to ${
            mark === 99.99 ? 'the variable "wind_speed_100"' : "the climate source"
          } if it means missing`,
        );
        assertWind(await read(source([mark])), expected);
        assertWind(await read(inVariable("wind_speed_100", mark)), expected);
      });
    }

    it("SI2 a number within the range is found if it is far from all others", async () => {
      await writeWind("marks.csv", (speed, i) => isMissing(i) ? 50 : speed);
      await refused(
        source(),
        'Cannot use marks.csv: column "wind_speed_100": 15 values are 50, far from all others. Add ' +
          '"null_values": [50] to the variable "wind_speed_100" if it means missing',
      );
      assertWind(await read(inVariable("wind_speed_100", 50)), expected);
      await refused(
        source([50]),
        'Cannot use marks.csv: column "wind_direction_100": 50 in null_values may be a real value there. ' +
          "Move null_values from the source to the variables in which this number means missing",
      );
    });

    it("SI2 a text is named, and counts as missing once declared", async () => {
      await writeWind("marks.csv", (speed, i) => isMissing(i) && i > 0 ? "calm?" : speed);
      await refused(
        source(),
        'Cannot read marks.csv: line 99, column "wind_speed_100": "calm?" is not a number. Add it to ' +
          "null_values of the climate source if it means missing",
      );
      assertWind(
        await read(source(["calm?"])),
        expected.map((speed, i) => i === 0 ? wind[0] : speed),
      );
    });

    it("SI2 a single negative direction is a mark, several are a range from -180 to 180", async () => {
      const turned = (i: number) => directions[i] > 180 ? directions[i] - 360 : directions[i];
      const row = (direction: (i: number) => number) => (i: number) => ({
        wind_speed_100: wind[i],
        wind_direction_100: direction(i),
      });
      await write("marks.csv", row(turned));
      assertWind(await read(source()), wind);
      await write("marks.csv", row((i) => isMissing(i) ? -99 : directions[i]));
      await refused(
        source(),
        'Cannot use marks.csv: column "wind_direction_100": 15 values are -99. Add "null_values": [-99] ' +
          'to the variable "wind_direction_100" if it means missing',
      );
      assertWind(await read(inVariable("wind_direction_100", -99)), expected);
    });

    it("SI2 a zero between hours of wind is a mark, a calm is not", async () => {
      await writeWind("marks.csv", (speed, i) => isMissing(i) ? 0 : speed);
      await refused(
        source(),
        'Cannot use marks.csv: column "wind_speed_100": 14 values are 0, between hours of wind. Add ' +
          '"null_values": [0] to the variable "wind_speed_100" if it means missing',
      );
      assertWind(await read(inVariable("wind_speed_100", 0)), expected);
      const calm = wind.map((speed, i) =>
        Math.abs(i % 97 - 48) < 4 ? Math.abs(i % 97 - 48) : speed
      );
      await writeWind("marks.csv", (_, i) => calm[i]);
      assertWind(await read(source()), calm);
    });

    it("SI2 a mark declared in a site file leaves its months without figures", async () => {
      await withSite(async (site, data) => {
        let row = 0;
        await site.editColumn(
          "climate.csv",
          "wind_speed_100",
          (speed) => row++ === 2000 ? "-999" : speed,
        );
        await assertRejects(
          async () => await importFile(await site.siteFile(), data),
          Error,
          'Add "null_values": [-999] to the climate source',
        );
        site.declared.climate[0].null_values = [-999];
        const { turbines: [{ months }] } = await importFile(await site.siteFile(), data);
        assertEquals(months.length > 20, true);
      });
    });
  });

  describe("SI2 climate hours that belong to other times", () => {
    const source: Source = { files: ["hours.csv"], ...place, variables: named() };
    const isWithin = (i: number, hours: number) => i >= 200 && i < 200 + hours;
    /** Empties the cells, as the message advises. */
    const emptied = async (hours: number) => {
      await writeWind("hours.csv", (speed, i) => isWithin(i, hours) ? "" : speed);
      assertWind(await read(source), wind.map((speed, i) => isWithin(i, hours) ? NaN : speed));
    };

    for (const value of [0, 6.3]) {
      it(`SI2 three days of ${value} m/s are rejected, a day is noted, empty cells are read`, async () => {
        await writeWind("hours.csv", (speed, i) => isWithin(i, 90) ? value : speed);
        await refused(
          source,
          `Cannot use hours.csv: column "wind_speed_100" has the value ${value} in all 90 hours from ` +
            "2020-06-09T08:00Z. Download these hours again, or leave their cells empty",
        );
        await emptied(90);
        await writeWind("hours.csv", (speed, i) => isWithin(i, 30) ? value : speed);
        const notes: string[] = [];
        await read(source, notes);
        assertEquals(notes, [
          `Please check hours.csv: column "wind_speed_100" has the value ${value} in all 30 hours ` +
          "from 2020-06-09T08:00Z. If the source has other values, download these hours again",
        ]);
      });
    }

    it("SI5 copied days are rejected, and read with empty cells", async () => {
      await writeWind("hours.csv", (speed, i) => isWithin(i, 168) ? wind[i - 168] : speed);
      await refused(
        source,
        "Cannot use hours.csv: the wind of the 168 hours from 2020-06-09T08:00Z equals earlier days. Download " +
          "these hours again, or leave their cells empty",
      );
      await emptied(168);
    });

    it("SI2 steps of three hours are rejected in any format", async () => {
      const text = async () => (await Deno.readTextFile(`${folder}/hours.csv`)).split("\n");
      await writeWind("hours.csv", (speed) => speed);
      const lines = await text();
      const third = lines.filter((_, i) => i === 0 || i % 3 === 1);
      await Deno.writeTextFile(`${folder}/hours.csv`, third.join("\n"));
      await refused(
        source,
        "Cannot use hours.csv: its times are 3 hours apart, but an index needs the wind of every hour. " +
          "Download hourly data",
      );
      await Deno.writeTextFile(`${folder}/hours.csv`, lines.join("\n"));
      assertWind(await read(source), wind);
    });

    it("SI2 hours filled from three-hour steps are rejected, integer wind speeds are not", async () => {
      await writeWind("hours.csv", (_, i) => wind[i - i % 3]);
      await refused(
        source,
        'Cannot use hours.csv: column "wind_speed_100" repeats its values for several hours, probably because ' +
          "the data have longer steps. Download hourly data",
      );
      const notes: string[] = [];
      await writeWind("hours.csv", (speed) => Math.round(speed));
      assertWind(await read(source, notes), wind.map(Math.round));
      assertEquals(notes, []);
    });

    it("SI2 a temperature with one value for a month is rejected, and read without these cells", async () => {
      const save = async (temperature: (i: number) => number | string) =>
        await write("hours.csv", (i) => ({
          wind_speed_100: wind[i],
          wind_direction_100: directions[i],
          t: temperature(i),
        }));
      const measured = (i: number) => (10 + 5 * Math.sin(i / 40)).toFixed(2);
      const withAir: Source = {
        ...source,
        variables: { ...named(), temperature: { column: "t" } },
      };
      await save((i) => i < 720 ? 0 : measured(i));
      await refused(
        withAir,
        'Cannot use hours.csv: column "t" has the value 0 in all 720 hours from 2020-06-01T00:00Z. Download ' +
          "these hours again, or leave their cells empty",
      );
      await save((i) => i < 720 ? "" : measured(i));
      assertEquals(
        (await read(withAir)).temperature!.subarray(719, 721),
        Float64Array.of(NaN, 6.25),
      );
    });

    it("SI4 times that step back for other reasons than their order get no advice to sort", async () => {
      await writeWind("hours.csv", (speed) => speed);
      const text = await Deno.readTextFile(`${folder}/hours.csv`);
      const change = async (how: (stamp: string) => string) =>
        await Deno.writeTextFile(
          `${folder}/hours.csv`,
          text.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d/gm, how),
        );
      await change((stamp) =>
        stamp.replace(
          /-(\d\d)-(\d\d)T/,
          (all, month, day) => Number(day) > 12 ? all : `-${day}-${month}T`,
        )
      );
      await refused(
        source,
        "Cannot use hours.csv: line 26: 2020-02-06T00:00Z comes after 2020-01-06T23:00Z: day and month are " +
          "probably swapped in some of the times. Export the times again in the form 2023-05-31 13:00",
      );
      // The last hour of a day as 00:00 of the same day.
      const ended = { ...source, stamp: "end" as const };
      const later = (stamp: string) =>
        new Date(Date.parse(`${stamp}Z`) + 36e5).toISOString().slice(0, 16);
      await change((stamp) =>
        stamp.endsWith("T23:00") ? `${stamp.slice(0, 10)}T00:00` : later(stamp)
      );
      await refused(
        ended,
        "Cannot use hours.csv: line 25: 2020-06-01T00:00Z comes after 2020-06-01T23:00Z: it is probably the " +
          "end of that day. Write it as 00:00 of the next day",
      );
      await change(later);
      assertWind(await read(ended), wind);
      await change((stamp) => stamp.replace("2020", "2098"));
      await refused(
        source,
        "Cannot use hours.csv: line 2: 2098-06-01T00:00Z is after today. Correct it, or remove the row",
      );
      await change((stamp) => stamp);
      assertWind(await read(source), wind);
    });

    it("SI3 months in another unit than the rest are rejected with the factor, and read once converted", async () => {
      const years = 3 * 8760;
      const long = Array.from(
        { length: years },
        (_, i) => 8 + 4 * Math.sin(i / 37) + random.normal() / 2,
      );
      const row = (i: number, factor: number) =>
        `${new Date(Date.UTC(2020, 5, 1, i)).toISOString().slice(0, 16)},${
          (factor * long[i]).toFixed(3)
        },${7 * i % 360}`;
      const save = async (factorOf: (i: number) => number) =>
        await Deno.writeTextFile(
          `${folder}/hours.csv`,
          ["time,wind_speed_100,wind_direction_100"].concat(
            Array.from({ length: years }, (_, i) => row(i, factorOf(i))),
          ).join("\n"),
        );
      for (const [factor, ratio] of [[3.6, 3], [3600 / 1852, 1]] as const) {
        await save((i) => i >= 8760 && i < 16_000 ? factor : 1);
        const { message } = await assertRejects(() => read(source), Error);
        assertMatch(
          message,
          new RegExp(
            `the wind of 2021-06, 2021-07, 2021-08 and \\d more months is ${ratio}\\.\\d\\d times the wind of ` +
              "the same months in other years, probably in another unit. Convert these months to the unit of the others",
          ),
        );
      }
      await save(() => 1);
      const notes: string[] = [];
      assertAlmostEquals(speedsOf(await read(source, notes))[0], long[0], 1e-3);
      assertEquals(notes, []);
    });

    it("SI2 a dew point above the temperature is rejected, and read from its own column", async () => {
      await write("hours.csv", (i) => ({
        wind_speed_100: wind[i],
        wind_direction_100: directions[i],
        t: (10 + 5 * Math.sin(i / 40)).toFixed(2),
        d: (6 + 5 * Math.sin(i / 40)).toFixed(2),
      }));
      const moist = (temperature: string, dew_point: string): Source => ({
        ...source,
        variables: {
          ...named(),
          temperature: { column: temperature },
          dew_point: { column: dew_point },
        },
      });
      await refused(
        moist("d", "t"),
        "Cannot use hours.csv: the dew point is above the temperature in 1440 hours. Check their columns " +
          "and units",
      );
      assertEquals((await read(moist("t", "d"))).temperature![0], 10);
    });

    it("SI2 unusual means and directions are noted", async () => {
      const notes: string[] = [];
      await write("hours.csv", (i) => ({
        wind_speed_100: (1.6 * wind[i]).toFixed(3),
        wind_direction_100: 270,
      }));
      await read(source, notes);
      assertEquals(notes, [
        'Please check hours.csv: column "wind_direction_100" has directions in less than half of the ' +
        "circle. Check the column and its unit",
        "Please check hours.csv: the mean wind speed at 100 m is 12.9 m/s, which is unusual. Check " +
        "whether the unit is right",
      ]);
    });
  });
});
