import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { recognizeFile } from "../../../src/sites/mod.ts";
import {
  describeFormat,
  guessColumns,
  guessMarks,
  guessResolution,
  guessStamp,
  guessUnit,
  hasOffset,
  joinTimes,
  listTimeFormats,
  nameTurbines,
} from "../../../src/cli/init/guess_production.ts";

/** The guesses about the text of a file. */
async function guess(text: string) {
  const { columns } = await recognizeFile(new TextEncoder().encode(text));
  const { time, column, turbine } = guessColumns(columns);
  const find = (names: unknown) =>
    [names].flat().flatMap((name) => columns.filter((one) => one.name === name));
  const stamps = joinTimes(find(time.value));
  const numbers = find(column.value);
  const time_format = listTimeFormats(stamps);
  const all = {
    time,
    column,
    turbine,
    time_format: { value: time_format.length === 0 ? undefined : time_format.join(" + ") },
    resolution: guessResolution(stamps, time_format),
    unit: guessUnit(numbers.map(({ name }) => name)),
    ...guessMarks(numbers.flatMap(({ first }) => first)),
  };
  return Object.fromEntries(
    Object.entries(all).filter(([, { value }]) => value !== undefined && value !== "")
      .map(([name, { value }]) => [name, [value].flat().join(" + ")]),
  );
}

describe("times in other formats", () => {
  const ugly = new URL("../../frames/ugly/", import.meta.url).pathname;
  for (
    const [name, text, time, format] of [
      ["parts in columns", "06_ymdh.csv", "Year + Month + Day + Hour + Minute", "YYYY M D H m"],
      ["hours that are counted", "05_he25.csv", "Delivery Date + Hour Ending", "MM/DD/YYYY N"],
      ["numbers of hours", "05b_he24.csv", "Delivery Date + Hour Ending", "MM/DD/YYYY H"],
      ["2A and 2B", "07_2A2B.csv", "Datum + von", "DD.MM.YYYY HX:mm"],
      ["names of zones", "22_mesz.csv", "Zeit", "DD.MM.YYYY HH:mm z"],
      ["words of summer time", "26_suffix.csv", "t", "YYYYMMDDHHmmssz"],
    ] as const
  ) {
    it(`SI6 are proposed: ${name}`, async () => {
      const guesses = await guess(await Deno.readTextFile(ugly + text));
      const formats = guesses.time_format.split(" + ");
      assertEquals([guesses.time, guesses.resolution], [time, "hour"]);
      assertEquals(formats.includes(format), true, guesses.time_format);
    });
  }

  it("SI6 are proposed: a year and a month", async () => {
    const guesses = await guess("Year,Month,Energy MWh\n2023,1,5\n2023,2,6\n2023,3,7\n");
    assertEquals([guesses.time, guesses.time_format, guesses.resolution, guesses.column], [
      ...["Year + Month", "YYYY M", "month", "Energy MWh"],
    ]);
  });
});

describe("the layout of a table without a preset", () => {
  it("is proposed if names and first cells show it", async () => {
    const text = "Zeitstempel;Anlage;Leistung [kW]\n01.01.2023 01:00;WEA 1;1.840,5\n" +
      "01.01.2023 01:00;WEA 2;1.902,0\n01.01.2023 02:00;WEA 1;412,5\n";
    assertEquals(await guess(text), {
      time: "Zeitstempel",
      column: "Leistung [kW]",
      turbine: "Anlage",
      time_format: "DD.MM.YYYY HH:mm",
      resolution: "hour",
      unit: "kW",
      decimal: ",",
      thousands: ".",
    });
    const meter = "Dato;Kl.;energi MWh\n30-04-2023;00:00;0,75\n30-04-2023;00:10;0,80\n";
    assertEquals(await guess(meter), {
      time: "Dato + Kl.",
      column: "energi MWh",
      time_format: "DD-MM-YYYY HH:mm",
      resolution: "10min",
      unit: "MWh",
    });
    assertEquals((await guess("month,kWh\n2023-01,400\n2023-02,300\n")).resolution, "month");
    const spanish = "Fecha\tMáquina\tPotencia activa\n2023/05/01 10:00\t1\t412,5\n";
    assertEquals((await guess(spanish)).turbine, "Máquina");
    assertEquals((await guess(spanish)).column, "Potencia activa");
  });

  it("is not guessed if it is ambiguous", async () => {
    const american = await guess("time,power\n01/02/2023 00:00,412\n01/02/2023 01:00,400\n");
    assertEquals(american.time_format, "DD/MM/YYYY HH:mm + MM/DD/YYYY HH:mm");
    assertEquals(american.unit, undefined);
    assertEquals(
      american.time_format.split(" + ").map((format) => describeFormat("01/02/2023 00:00", format)),
      ['"01/02/2023 00:00" is Wed Feb 01 2023', '"01/02/2023 00:00" is Mon Jan 02 2023'],
    );
    const days = await guess("time,kWh\n01/02/2023,412\n01/03/2023,400\n");
    assertEquals(days.resolution, undefined); // months or days
    const two = await guess("time;a;b\n2023-01-01 00:00;1;2\n");
    assertEquals(two.column, undefined);
    const wind = await guess("time;Turbine wind speed;kWh\n2023-01-01 00:00;1;2\n");
    assertEquals(wind.turbine, undefined);
  });

  it("U3: has the format of times in ten notations", () => {
    const formats: readonly (readonly [first: string, second: string, formats: unknown])[] = [
      ["2023-05-01T00:00Z", "2023-05-01T01:00Z", [null, "YYYY-MM-DD[T]HH:mmZ"]],
      ["2023-05-01 01:00", "2023-05-01 24:00", [null, "YYYY-MM-DD HH:mm"]],
      ["01.05.2023 00:00 +0200", "01.05.2023 01:00 +0200", ["DD.MM.YYYY HH:mm Z"]],
      ["2023/05/01 00:00", "2023/05/01 01:00", ["YYYY/MM/DD HH:mm"]],
      ["2023.5.1 0:00", "2023.5.1 10:00", ["YYYY.M.D H:mm"]],
      ["20230501 0000", "20230501 0100", ["YYYYMMDD HHmm"]],
      ["202305010000", "202305010100", ["YYYYMMDDHHmm"]],
      ["01-May-2023 00:00", "01-May-2023 01:00", ["DD-MMM-YYYY HH:mm"]],
      ["01.05.23 00:00:00", "01.05.23 01:00:00", ["DD.MM.YY HH:mm:ss"]],
      ["5/1/2023 12:00 AM", "5/1/2023 1:00 AM", ["D/M/YYYY h:mm A", "M/D/YYYY h:mm A"]],
      ["1682899200", "1682902800", ["unix"]],
      ["1682899200000", "1682902800000", ["unix-ms"]],
      ["45047", "45047.041666667", ["excel"]],
      ["05/2023", "06/2023", ["MM/YYYY"]],
      ["202305", "202306", ["YYYYMM"]],
      ["May-23", "Jun-23", ["MMM-YY"]],
      ["2023-05", "2023-06", [null]],
      ["yesterday", "today", []],
    ];
    for (const [first, second, expected] of formats) {
      assertEquals(listTimeFormats([first, second]), expected, first);
    }
  });

  it("S3: uses the step of its timestamps as the period, for either order of day and month", async () => {
    const text = "Horodate;kWh\n01/02/2014 02:00;1\n01/02/2014 03:00;2\n";
    assertEquals((await guess(text)).resolution, "hour");
  });

  it("S2: treats all similar columns as turbines, with short names", async () => {
    const columns = ["R80711 Production (kWh)", "R80736 Production (kWh)"];
    const text = `t;${columns.join(";")}\n2014-01-01 00:00;1;2\n2014-01-01 01:00;1;2\n`;
    assertEquals((await guess(text)).column, columns.join(" + "));
    assertEquals(nameTurbines(columns), ["R80711", "R80736"]);
    assertEquals(nameTurbines(["Power WTG01 kW", "Power WTG02 kW"]), ["WTG01", "WTG02"]);
    assertEquals(nameTurbines(["WEA 01 (S/N 1) / kW", "WEA 02 (S/N 2) / kW"]), [
      "WEA 01",
      "WEA 02",
    ]);
    assertEquals(nameTurbines(["A 1 x", "A 1 y"]), ["x", "y"]);
    assertEquals(nameTurbines(["Power", "Power"]), ["Power", "Power"]);
    const read = await recognizeFile(
      new TextEncoder().encode("t;T1 kWh;T2 kWh;Park kWh\n2014-01-01 00:00;1;2;3\n"),
    );
    const { column } = guessColumns(read.columns);
    assertEquals([column.value, column.trust], [["T1 kWh", "T2 kWh"], "unsure"]);
  });

  it("SV4: trims identifiers, for example of a column that begins with underscores", () => {
    const names = ["__proto__", "constructor", "toString"];
    assertEquals(nameTurbines(names), ["proto", "constructor", "toString"]);
    assertEquals(nameTurbines(["_A_1_", "_B_1_"]), ["A", "B"]);
  });

  it("N11: is proposed for times with AM and PM, and units in a second row", async () => {
    const rows = ["1/1/2014 11:00 AM\t1.5", "1/1/2014 12:00 PM\t2.5", "1/1/2014 1:00 PM\t3.5"];
    const text = ["DateTime (UTC)\tPower", "m/d/yyyy h:mm AM/PM\tkWh", ...rows, ""].join("\n");
    assertEquals(await guess(text), {
      time: "DateTime (UTC) / m/d/yyyy h:mm AM/PM",
      column: "Power / kWh",
      time_format: "D/M/YYYY h:mm A + M/D/YYYY h:mm A",
      resolution: "hour",
      unit: "kWh",
    });
  });

  it("N12: proposes the end of a period by the first time of the file", () => {
    assertEquals(guessStamp("01:00", "hour"), {
      value: "end",
      reason: "its first time is 01:00",
      trust: "unsure",
    });
    assertEquals(
      [["00:10", "10min"], ["00:00", "10min"], ["00:00", "hour"], ["02:00", "hour"]]
        .map(([first, resolution]) => guessStamp(first, resolution).value),
      ["end", "start", "start", undefined],
    );
  });

  it("SI6: uses the period of its first rows, also for days", async () => {
    for (const [minutes, resolution] of [[5, "5min"], [15, "15min"], [30, "30min"]] as const) {
      const rows = [0, 1, 2].map((i) => `2023-05-01 01:${String(minutes * i).padStart(2, "0")},5`);
      const tested = minutes === 30 ? rows.slice(0, 2) : rows;
      assertEquals((await guess(`time,kWh\n${tested.join("\n")}\n`)).resolution, resolution);
    }
    const days = await guess("date,kWh\n2023-05-01,400\n2023-05-02,300\n2023-05-03,500\n");
    assertEquals(days.resolution, "day");
    assertEquals((await guess("Datum;kWh\n30.04.2023;400\n01.05.2023;300\n")).resolution, "day");
  });

  it("needs a time zone only without an offset", () => {
    const stamps = [
      "2023-01-01T00:00Z",
      "2023-01-01 00:00:00+01:00",
      "1682899200",
      "2023-01-01 00:00",
      "01.01.2023 01:00",
    ];
    assertEquals(stamps.map(hasOffset), [true, true, true, false, false]);
  });
});
