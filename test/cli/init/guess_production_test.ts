import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { recognizeFile } from "../../../src/sites/mod.ts";
import {
  describeFormats,
  findNullMark,
  guessColumns,
  guessMeaning,
  guessStamp,
  hasOffset,
  nameTurbines,
} from "../../../src/cli/init/guess_production.ts";

/** What is guessed of the text of a file. */
async function guess(text: string) {
  const { columns } = await recognizeFile(new TextEncoder().encode(text));
  const { time, column, turbine } = guessColumns(columns);
  const find = (names: readonly string[] = []) =>
    names.flatMap((name) => columns.filter((one) => one.name === name));
  const { timeFormats, ...meaning } = guessMeaning(find(time.answers), find(column.answers));
  const timeFormat = { answers: timeFormats };
  const answers = Object.entries({ time, column, turbine, timeFormat, ...meaning })
    .filter(([, { answers = [] }]) => answers.length > 0)
    .map(([name, { answers = [] }]) => [name, answers.join(" + ")]);
  return Object.fromEntries(answers);
}

describe("the layout of a table that no preset knows", () => {
  it("is proposed where names and first cells show it", async () => {
    const text = "Zeitstempel;Anlage;Leistung [kW]\n01.01.2023 01:00;WEA 1;1.840,5\n" +
      "01.01.2023 01:00;WEA 2;1.902,0\n01.01.2023 02:00;WEA 1;412,5\n";
    assertEquals(await guess(text), {
      time: "Zeitstempel",
      column: "Leistung [kW]",
      turbine: "Anlage",
      timeFormat: "DD.MM.YYYY HH:mm",
      resolution: "hour",
      unit: "kW",
      stamp: "end",
      decimal: ",",
      thousands: ".",
    });
    const meter = "Dato;Kl.;energi MWh\n30-04-2023;00:00;0,75\n30-04-2023;00:10;0,80\n";
    assertEquals(await guess(meter), {
      time: "Dato + Kl.",
      column: "energi MWh",
      timeFormat: "DD-MM-YYYY HH:mm",
      resolution: "10min",
      unit: "MWh",
      stamp: "start",
      decimal: ",",
    });
    assertEquals((await guess("month,kWh\n2023-01,400\n2023-02,300\n")).resolution, "month");
  });

  it("is not guessed where it may mean two things", async () => {
    const american = await guess("time,power\n01/02/2023 00:00,412\n01/02/2023 01:00,400\n");
    assertEquals(american.timeFormat, "DD/MM/YYYY HH:mm + MM/DD/YYYY HH:mm");
    assertEquals(american.unit, undefined);
    assertEquals(
      describeFormats(["01/01/2023 00:00", "01/02/2023 00:00"], american.timeFormat.split(" + ")),
      '"01/02/2023 00:00" is 1 February 2023 by DD/MM/YYYY HH:mm, 2 January 2023 by MM/DD/YYYY HH:mm',
    );
    const days = await guess("time,kWh\n01/02/2023,412\n01/03/2023,400\n");
    assertEquals(days.resolution, undefined); // months, or days
    const grouped = await guess("time;power\n2023-01-01 00:00;1,840\n2023-01-01 01:00;1,902\n");
    assertEquals([grouped.decimal, grouped.thousands], [undefined, undefined]);
    const two = await guess("time;a;b\n2023-01-01 00:00;1;2\n");
    assertEquals(two.column, undefined);
  });

  it("S3: has the step of its stamps as its period, whatever the order of day and month", async () => {
    const text = "Horodate;kWh\n01/02/2014 02:00;1\n01/02/2014 03:00;2\n";
    assertEquals((await guess(text)).resolution, "hour");
  });

  it("S2: has all equal columns side by side as turbines, with short names", async () => {
    const columns = ["R80711 Production (kWh)", "R80736 Production (kWh)"];
    const text = `t;${columns.join(";")}\n2014-01-01 00:00;1;2\n2014-01-01 01:00;1;2\n`;
    assertEquals((await guess(text)).column, columns.join(" + "));
    assertEquals(nameTurbines(columns), ["R80711", "R80736"]);
    assertEquals(nameTurbines(["Power WTG01 kW", "Power WTG02 kW"]), ["WTG01", "WTG02"]);
    assertEquals(nameTurbines(["Power", "Power"]), ["Power", "Power"]);
    const read = await recognizeFile(
      new TextEncoder().encode("t;T1 kWh;T2 kWh;Park kWh\n2014-01-01 00:00;1;2;3\n"),
    );
    const { column } = guessColumns(read.columns);
    assertEquals([column.answers, column.unsure], [["T1 kWh", "T2 kWh"], true]);
  });

  it("N11: is proposed of times with AM and PM, and units in a second row", async () => {
    const rows = ["1/1/2014 11:00 AM\t1.5", "1/1/2014 12:00 PM\t2.5", "1/1/2014 1:00 PM\t3.5"];
    const text = ["DateTime (UTC)\tPower", "m/d/yyyy h:mm AM/PM\tkWh", ...rows, ""].join("\n");
    assertEquals(await guess(text), {
      time: "DateTime (UTC) / m/d/yyyy h:mm AM/PM",
      column: "Power / kWh",
      timeFormat: "D/M/YYYY h:mm A + M/D/YYYY h:mm A",
      resolution: "hour",
      unit: "kWh",
      zone: "UTC",
      decimal: ".",
    });
  });

  it("N12: names the end of a period where the file begins and ends with whole days", () => {
    const hint = (first: number, last: number, resolution = "hour") => {
      const { answers = [], reason, unsure } = guessStamp([first, last], resolution);
      return [...answers, reason, unsure];
    };
    assertEquals(hint(60, 0), [
      "end",
      "its first time is 01:00, its last 00:00: whole days, by the end of each period",
      true,
    ]);
    assertEquals(hint(0, 1430, "10min")[0], "start");
    assertEquals(hint(0, 600), ["start", "its first time is 00:00", true]);
    assertEquals(hint(0, 0), [undefined, undefined]);
    assertEquals(hint(120, 60), [undefined, undefined]);
  });

  it("N13: has a value as missing that is repeated and cannot be", () => {
    const power = [0, 12.5, 2013, 2050, 2050, 2050];
    const mark = (...values: number[]) => findNullMark([...power, ...values])?.value;
    assertEquals(mark(), undefined);
    assertEquals(mark(-5, -5, -5), undefined);
    assertEquals(mark(-999, -999), undefined);
    assertEquals(mark(-999, -5, -999, -999), -999);
    assertEquals(mark(-32768, -32768, -32768), -32768);
    assertEquals(mark(9999, 9999, 9999), 9999);
    assertEquals(findNullMark([0, 850, 900, 999.9, 999.9, 999.9]), {
      value: 999.9,
      count: 3,
      next: 900,
    });
    assertEquals(findNullMark([]), undefined);
  });

  it("has a zone of its own only without an offset", () => {
    const column = (first: string) => ({ name: "t", cells: "times" as const, first: [first] });
    assertEquals(
      ["2023-01-01T00:00Z", "2023-01-01 00:00:00+01:00", "2023-01-01 00:00", "01.01.2023 01:00"]
        .map((stamp) => hasOffset(column(stamp))),
      [true, true, false, false],
    );
  });
});
