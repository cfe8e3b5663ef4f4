import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, type ErrorFacts, type ProductionFormat } from "../../../mod.ts";
import { askProduction, findCauses } from "../../../src/cli/init/ask_production.ts";
import { productionFields as f } from "../../../src/cli/init/fields.ts";
import { InputFiles } from "../../../src/cli/init/input_files.ts";
import { greenbyteEvents, greenbyteFile, tenMinutes } from "../../frames/presets/_files.ts";
import { MisuseError } from "../../../src/cli/command/command.ts";
import { StoppedError } from "../../../src/cli/init/terminal.ts";
import { openDialogue } from "./_dialogue.ts";

/** Hours of Paris around the clock change of March 2014 as an export writes them, with a total at the end. */
function exportOfParis(): string {
  const first = Temporal.PlainDateTime.from("2014-03-20T01:00");
  const rows = Array.from({ length: 24 * 12 }, (_, hour) => first.add({ hours: hour }))
    .filter((stamp) => !(stamp.month === 3 && stamp.day === 30 && stamp.hour === 2))
    .map((stamp) => {
      const [year, month, day, clock] = stamp.toString().split(/[-T]/);
      return `${day}/${month}/${year} ${clock.slice(0, 5)};525,7;522,2`;
    });
  const head = "Rapport - heure légale\n\nHorodate;R80711 Production (kWh);R80736 Production (kWh)";
  return [head, ...rows, "Total;151401,6;150393,6", ""].join("\n");
}

describe("questions about production", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const write = (name: string, bytes: Uint8Array) => Deno.writeFile(`${folder}/${name}`, bytes);
    for (const turbine of ["Kelmarsh 1", "Kelmarsh 2"]) {
      const name = turbine.replace(" ", "_");
      const rows = (from: string) => tenMinutes(from, ["100", "NaN", "300"]);
      const file = (from: string) => greenbyteFile({ turbine, rows: rows(from) });
      await write(`Turbine_Data_${name}_2016.csv`, file("2016-03-01 00:00:00"));
      await write(`Turbine_Data_${name}_2017.csv`, file("2017-03-01 00:00:00"));
      await write(`Status_${name}_2016.csv`, greenbyteEvents([]));
    }
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Runs the dialogue with a terminal that answers by words of the questions. */
  async function ask(
    file: string,
    answers: Readonly<Record<string, string | readonly string[]>> = {},
    zone?: string,
  ) {
    const { dialogue, text, asked, find } = openDialogue({
      answers: { "Production: a file": file, ...answers },
    });
    const inputs = new InputFiles();
    const production = await find(() => askProduction(dialogue, inputs, zone));
    return { production, entry: production?.entry, text: text().replaceAll(/\s+/g, " "), asked };
  }

  /** Missing options without a terminal. */
  async function listMissing(file: string, options: Record<string, string[]> = {}) {
    const { dialogue, find } = openDialogue({
      options: { production: [file], ...options },
      yes: true,
    });
    const { message } = await assertRejects(
      () => find(() => askProduction(dialogue, new InputFiles())),
      MisuseError,
    );
    return message.match(/^ {2}--[\w-]+/gm)?.map((name) => name.trim());
  }

  /** Writes a file, and returns its path. */
  async function write(name: string, content: string): Promise<string> {
    await Deno.mkdir(`${folder}/own`, { recursive: true });
    await Deno.writeTextFile(`${folder}/own/${name}`, content);
    return `${folder}/own/${name}`;
  }

  it("find it in a folder of a preset, without status logs, and show it for the chosen turbines", async () => {
    const { production, text } = await ask(folder, {
      review: [f.turbines.name],
      "The turbines": "Kelmarsh 2",
    });
    assertEquals([production?.entry.file].flat().length, 4);
    assertEquals("preset" in production!.entry && production!.entry.preset, "greenbyte");
    assertEquals(production?.turbines, ["Kelmarsh 2"]);
    assertStringIncludes(text, "4 files are csv of the preset greenbyte.");
    assertStringIncludes(text, "Status_Kelmarsh_1_2016.csv (greenbyte events)");
    assertStringIncludes(text, "Kelmarsh 2, 2016-03-01 00:00 to 2017-03-01 00:20 (UTC): 4 of ");
  });

  it("U2: keep all files of a folder if a month begins with rows without a value, and name files left out", async () => {
    const months = `${folder}/months`;
    await Deno.mkdir(months);
    const writeMonth = async (month: string, empty: number) => {
      const rows = Array.from({ length: 300 }, (_, hour) => {
        const stamp = Temporal.Instant.from(`2023-${month}-01T00:00Z`).add({ hours: hour });
        return `${stamp},${hour < empty ? "" : 500 + hour % 7}`;
      });
      await Deno.writeTextFile(`${months}/${month}.csv`, `time,power kW\n${rows.join("\n")}\n`);
    };
    await writeMonth("01", 200);
    await writeMonth("02", 0);
    const { production } = await ask(months, { stamp: "start", "a timestamp marks": "start" });
    assertEquals([production?.entry.file, production?.leftOut], [months, []]);

    await Deno.writeTextFile(`${months}/notes.csv`, "who,what\nme,calibrated\n");
    const { production: some } = await ask(months, { "a timestamp marks": "start" });
    assertEquals(some?.entry.file, ["01", "02"].map((month) => `${months}/${month}.csv`));
    assertEquals(some?.leftOut.length, 1);
    assertStringIncludes(some!.leftOut[0], "notes.csv (unknown)");
  });

  it("S5: refuse an answer that the file refutes, and ask only for that one", async () => {
    const file = await write(
      "local.csv",
      "Zeit;Leistung kW\n26.03.2023 01:00;1,5\n26.03.2023 02:00;2,5\n26.03.2023 03:00;3,5\n",
    );
    const { entry, text, asked } = await ask(file, {
      "time zone": ["Europe/Berlin", "UTC"],
      "a timestamp marks": "start",
      review: [f.stamp.name],
    });
    assertStringIncludes(text, "2023-03-26 02:00 does not exist");
    assertStringIncludes(text, "production-stamp: end (assumed: its first time is 01:00)");
    assertEquals(asked.filter((about) => about.includes("time zone")).length, 2);
    assertEquals(entry, {
      file,
      column: "Leistung kW",
      time: "Zeit",
      resolution: "hour",
      unit: "kW",
      time_format: "DD.MM.YYYY HH:mm",
      time_zone: "UTC",
      stamp: "start",
    });
  });

  it("SI6: propose counted hours if other formats do not fit, and skip the stamp of a range", async () => {
    const ugly = new URL("../../frames/ugly/", import.meta.url).pathname;
    const answers = {
      ...{ "time zone": "America/New_York", "a timestamp marks": "end" },
      "format of the times": "MM/DD/YYYY N",
    };
    const { entry, production } = await ask(`${ugly}05_he25.csv`, answers);
    assertEquals(entry, {
      file: `${ugly}05_he25.csv`,
      column: "MWh",
      time: ["Delivery Date", "Hour Ending"],
      resolution: "hour",
      unit: "MWh",
      time_format: "MM/DD/YYYY N",
      time_zone: "America/New_York",
      stamp: "end",
    });
    assertEquals(production?.turbines, []);
    const plain = await ask(`${ugly}05b_he24.csv`, {
      ...answers,
      "format of the times": "MM/DD/YYYY H",
    });
    assertEquals((plain.entry as ProductionFormat).time_format, "MM/DD/YYYY H");
    const ranges = await write(
      "ranges.csv",
      `Zeit;kW\n${
        Array.from({ length: 9 }, (_, i) =>
          `13.01.2023 0${i}:00 - 13.01.2023 ${String(i + 1).padStart(2, "0")}:00;${i},5\n`).join("")
      }`,
    );
    const range = await ask(ranges, {
      "time zone": "Europe/Berlin",
      "period of a row": "hour",
      "format of the times": "DD.MM.YYYY HH:mm - DD.MM.YYYY HH:mm",
    });
    assertEquals((range.entry as ProductionFormat).stamp, undefined);
    assertEquals(range.asked.some((about) => about.includes("a timestamp marks")), false);
  });

  it("S2, S3, S4, S6: detect turbines, step, order of day and month, and a total, and ask for the rest", async () => {
    const file = await write("paris.csv", exportOfParis());
    const { production, text, asked } = await ask(
      file,
      { review: f.time_zone.name, "time zone": ["UTC+1", ""] },
      "Europe/Paris",
    );
    assertStringIncludes(text, 'DD/MM/YYYY HH:mm ("20/03/2014 01:00")');
    assertStringIncludes(text, "production-leave-out: Total (these cells are not timestamps)");
    assertStringIncludes(
      text,
      "production-time-zone: Europe/Paris (assumed: time zone of the place)",
    );
    assertStringIncludes(text, "production-stamp: end (assumed: its first time is 01:00)");
    assertStringIncludes(text, '"UTC+1" is not an IANA time zone');
    assertEquals(asked.length, 5); // file, screen, zone twice, screen
    assertEquals(production, {
      entry: {
        file,
        column: { R80711: "R80711 Production (kWh)", R80736: "R80736 Production (kWh)" },
        time: "Horodate",
        resolution: "hour",
        unit: "kWh",
        time_format: "DD/MM/YYYY HH:mm",
        time_zone: "Europe/Paris",
        stamp: "end",
        leave_out: ["Total"],
      },
      turbines: ["R80711", "R80736"],
      leftOut: [],
    });
  });

  it("S4: show both readings if the file does not decide between them, and propose none", async () => {
    const rows = [0, 1, 2].map((hour) => `01/02/2023 0${hour}:00,4`).join("\n");
    const file = await write("open.csv", `time,power (kW)\n${rows}\n`);
    const { entry } = await ask(file, {
      "format of the times": "MM/DD/YYYY HH:mm",
      "time zone": "UTC",
      "a timestamp marks": "start",
    });
    assertEquals("time_format" in entry! && entry.time_format, "MM/DD/YYYY HH:mm");
    assertEquals(await listMissing(file), [
      "--production-time-format",
      "--production-time-zone",
      "--production-stamp",
    ]);
  });

  it("S4: choose the order of day and month that gives months, or times in order", async () => {
    const rows = [1, 2, 3, 4].map((month) => `01/0${month}/2023;40`).join("\n");
    const file = await write("months.csv", `Mois;MWh\n${rows}\nTotal;160\n`);
    const { entry, text } = await ask(file, { "period of a row": "month" });
    assertStringIncludes(text, 'DD/MM/YYYY ("01/02/2023" in line 3)');
    assertEquals("time_format" in entry! && entry.time_format, "DD/MM/YYYY");
    const days = await write(
      "days.csv",
      `t,kW\n01/11/2023 23:00,4\n01/12/2023 00:00,4\n02/01/2023 00:00,4\n`,
    );
    const other = await ask(days, {
      "period of a row": "hour",
      "time zone": "UTC",
      "a timestamp marks": "start",
    });
    assertStringIncludes(
      other.text,
      "MM/DD/YYYY HH:mm (with other formats the rows would not be in order)",
    );
  });

  it("S15: assume the time zone of the place, with its clock change, and show that", async () => {
    const hours = ["00", "01", "02", "02", "03"].map((hour) => `26.10.2014 ${hour}:00;4`);
    const file = await write("autumn.csv", `Zeit;kWh\n${hours.join("\n")}\n`);
    const { entry, text, asked } = await ask(file, {}, "Europe/Paris");
    assertStringIncludes(
      text,
      "production-time-zone: Europe/Paris (assumed: time zone of the place)",
    );
    assertEquals([entry?.time_zone, asked.length], ["Europe/Paris", 2]);
    const other = await ask(file, {
      "time zone": ["UTC", "Europe/Paris"],
      "period of a row": "hour",
      "format of the times": "",
    });
    assertStringIncludes(other.text, "2014-10-26T02:00Z is duplicated");
  });

  it("H3: read months that share their last row in one call, and name them as one entry", async () => {
    const months = await Deno.makeTempDir({ dir: folder });
    const file = (stamps: readonly string[]) =>
      ["TimeStamp,StationId,wtc_ActPower_mean", ...stamps.map((stamp) => `${stamp},T1,400`), ""]
        .join("\n");
    const joint = "2021-02-01 00:00:00";
    const [january, february] = [["2021-01-31 23:50:00", joint], [joint, "2021-02-01 00:10:00"]];
    await Deno.writeTextFile(`${months}/tblSCTurGrid_2021_01.csv`, file(january));
    await Deno.writeTextFile(`${months}/tblSCTurGrid_2021_02.csv`, file(february));
    const { production, text, asked } = await ask(months);
    assertEquals(production, {
      entry: { preset: "hill-of-towie", file: months },
      turbines: ["T1"],
      leftOut: [],
    });
    assertEquals(asked.length, 2); // file and review
    assertStringIncludes(text, "T1, 2021-01-31 23:40 to 2021-02-01 00:00 (UTC): 3 of 3 rows");
  });

  it("H4: ask for the zone and the stamp if preset and file leave them open", async () => {
    const file = await write(
      "scada_signals.csv",
      "Turbine_ID,Timestamp,Grd_Prod_Pwr_Avg\nT1,2021-01-01T00:00:00,400\nT1,2021-01-01T00:10:00,400\n",
    );
    const { entry, text } = await ask(file, { "time zone": "UTC" });
    assertEquals(entry, { file, preset: "edp", time_zone: "UTC", stamp: "start" });
    assertStringIncludes(text, "stamp: start (assumed: not stated by the preset or the file)");
    assertEquals(await listMissing(file), ["--production-time-zone", "--production-stamp"]);
  });

  it("M14: use all of many turbines, or the chosen ones", async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `T${i + 1}`);
    const rows = ids.flatMap((id) => [`2023-01,${id},40`, `2023-02,${id},50`]);
    const file = await write("many.csv", ["month,turbine,MWh", ...rows, ""].join("\n"));
    const { production, text } = await ask(file, {
      review: f.turbines.name,
      "The turbines": "T7|T9",
    });
    assertEquals(production?.turbines, ["T7", "T9"]);
    assertStringIncludes(text, "production-turbines: T1, T2 … T40, 40 in all (all)");
    assertEquals(text.match(/T\d+, 2023-01 to/g)?.slice(-2), ["T7, 2023-01 to", "T9, 2023-01 to"]);
  });

  it("ask which column names the turbine if times are repeated", async () => {
    const rows = ["A", "B"].flatMap((id) => [`2023-01;${id};40`, `2023-02;${id};50`]);
    const file = await write("below.csv", ["Monat;Ort;Ertrag MWh", ...rows, ""].join("\n"));
    const { production, text } = await ask(file, {
      "names the turbine": "Ort",
    });
    assertStringIncludes(text, "2023-01 comes after 2023-02");
    assertEquals([
      production?.turbines,
      "turbine" in production!.entry && production!.entry.turbine,
    ], [
      ["A", "B"],
      "Ort",
    ]);
  });

  it("H3: name each file of a folder that a preset recognizes by columns instead of names", async () => {
    const named = await Deno.makeTempDir({ dir: folder });
    const content = greenbyteFile({ rows: tenMinutes("2016-03-01 00:00:00", ["100", "300"]) });
    await Deno.writeFile(`${named}/K1.csv`, content);
    assertEquals((await ask(named)).entry?.file, [`${named}/K1.csv`]);
  });

  it("name the line with a time in another format than the first", async () => {
    const rows = ["2023-01-01T00:00Z;1", "2023-01-01T01:00;2", "2023-01-01T02:00;2"];
    const file = await write("mixed.csv", ["t;kW", ...rows, ""].join("\n"));
    const { dialogue, text, find } = openDialogue({ answers: { "Production: a file": file } });
    await assertRejects(() => find(() => askProduction(dialogue, new InputFiles())), StoppedError);
    assertMatch(text(), /line \d, column "t": the timestamp has no offset from UTC/);
  });

  /** Two days of a vendor's export: tabs, a row of units, AM and PM, a mark for missing values, rows at the end. */
  function exportOfVendor(): string {
    const rows = Array.from({ length: 48 }, (_, i) => {
      const clock = `${i % 12 || 12}:00 ${i % 24 < 12 ? "AM" : "PM"}`;
      return `1/${13 + Math.floor(i / 24)}/2014 ${clock}\t${i % 9 === 0 ? -999 : 500 + i % 5}\t${
        60 - i
      }`;
    });
    const head = ["DateTime (UTC)\tWTG01_ActPower\tWTG02_ActPower", "m/d/yyyy\tkWh\tkWh"];
    return [...head, ...rows, "Max\t2050\t2050", "Average\t450\t460", ""].join("\n");
  }

  it("N9, N11, N12, N13: detect a row of units, AM and PM, and ask for the stamp and a mark", async () => {
    const file = await write("vendor.txt", exportOfVendor());
    const { entry, text } = await ask(file, {
      "a timestamp marks": "",
      "mean missing": "",
      "time zone": "",
    });
    assertStringIncludes(text, "It is tab-separated text. It has times");
    assertStringIncludes(text, "2 (timestamps and numbers begin below these rows)");
    assertStringIncludes(text, "production-stamp: start (assumed: its first time is 00:00)");
    assertStringIncludes(
      text,
      "the value -999 occurs 6 times, far from all others, so it probably means missing",
    );
    assertStringIncludes(text, "WTG01, 2014-01-13 00:00 to 2014-01-14 23:00 (UTC): 42 of 48 rows");
    assertEquals(entry, {
      file,
      column: { WTG01: "WTG01_ActPower / kWh", WTG02: "WTG02_ActPower / kWh" },
      time: "DateTime (UTC) / m/d/yyyy",
      resolution: "hour",
      unit: "kWh",
      time_format: "M/D/YYYY h:mm A",
      time_zone: "UTC",
      stamp: "start",
      header_rows: 2,
      leave_out: ["Max", "Average"],
      null_values: [-999],
    });
  });

  it("N13: never assume that a value means missing without showing it, and ask again if that is wrong", async () => {
    const file = await write("vendor.txt", exportOfVendor());
    const given = { [f.time_zone.name]: ["UTC"], [f.stamp.name]: ["start"] };
    assertEquals(await listMissing(file, given), ["--production-null-values"]);
    const plain = await write(
      "plain.csv",
      "time,kWh\n2023-01-01T00:00Z,4\n2023-01-01T01:00Z,-1\n2023-01-01T02:00Z,5\n",
    );
    const { entry } = await ask(plain, {
      "a timestamp marks": "start",
      review: [f.null_values.name],
      "mean missing": "-1",
    });
    assertEquals(entry?.null_values, [-1]);
  });

  it("U3: propose the meter that the import detects, and accept that there is none", async () => {
    const rows = Array.from({ length: 72 }, (_, hour) => {
      const stamp = Temporal.Instant.from("2023-01-01T00:00Z").add({ hours: hour });
      return `${stamp};${hour < 60 ? 3_739_000 + 500 * hour + hour ** 2 : 10 * (hour - 60)}`;
    });
    const file = await write("meter.csv", ["time;Energie kWh", ...rows, ""].join("\n"));
    assertEquals(await listMissing(file), ["--production-counter", "--production-stamp"]);
    const { entry, text } = await ask(file, { review: f.counter.name, meter: ["true", "resets"] });
    assertStringIncludes(text, "production-counter: resets (assumed: ");
    assertStringIncludes(text, "so they are probably meter readings. Declare counter");
    assertStringIncludes(text, "the meter shows 0, after 3771981");
    assertEquals(entry?.counter, "resets");
    assertStringIncludes(text, "70 of 71 rows have power");
    const none = await ask(file, { review: f.counter.name, meter: "false" });
    assertEquals(none.entry?.counter, false);
  });

  it("SI6: read days, and meters that restart each day", async () => {
    const rows = Array.from(
      { length: 60 },
      (_, i) =>
        `${Temporal.PlainDate.from("2023-05-01").add({ days: i })},${20_000 + 100 * (i % 7)}`,
    );
    const days = await write("days.csv", ["date,Energy kWh", ...rows, ""].join("\n"));
    const { entry, text } = await ask(days, { "time zone": "Europe/Berlin" });
    assertEquals([entry?.resolution, entry?.unit, entry?.stamp], ["day", "kWh", "start"]);
    assertStringIncludes(text, "60 of 60 rows have power");

    const hours = Array.from({ length: 97 }, (_, i) => {
      const stamp = Temporal.Instant.from("2023-01-01T00:00Z").add({ hours: i });
      return `${stamp},${50 * (i % 24) ** 1.5}`;
    });
    const meter = await write("meter.csv", ["time,EToday kWh", ...hours, ""].join("\n"));
    const read = await ask(meter);
    assertStringIncludes(read.text, "production-counter: daily (assumed: ");
    assertEquals(read.entry?.counter, "daily");
  });

  it("ask for text values among the numbers, and for one of two sheets with production", async () => {
    const marks = [4, "Bad", 5, 6, "No Data", 3, 2];
    const rows = marks.map((one, hour) => `2023-01-01T0${hour}:00Z,${one}`);
    const file = await write("marks.csv", ["time,kWh", ...rows, ""].join("\n"));
    assertEquals(await listMissing(file), ["--production-null-values", "--production-stamp"]);
    const { entry } = await ask(file, { "a timestamp marks": "start", "mean missing": "" });
    assertEquals(entry?.null_values, ["Bad", "No Data"]);

    const { writeXlsx } = await import("hucre/xlsx");
    const sheet = [["time", "kWh"], ["2023-01-01T00:00Z", 4], ["2023-01-01T01:00Z", 5]];
    const book = `${folder}/own/two.xlsx`;
    const sheets = ["WTG 1", "WTG 2"].map((name) => ({ name, rows: sheet }));
    await Deno.writeFile(book, await writeXlsx({ sheets }));
    assertEquals(await listMissing(book), ["--production-sheet", "--production-stamp"]);
    const { entry: second } = await ask(book, { review: f.sheet.name, "the sheet": "WTG 2" });
    assertEquals(second?.sheet, "WTG 2");
  });

  it("N10: let options declare an unrecognized table", async () => {
    const rows = ["Jan 01 2023 00:00,4", "Jan 01 2023 01:00,5"].join("\n");
    const file = await write("odd.csv", `When,Made\n${rows}\n`);
    const options = {
      production: [file],
      [f.time.name]: ["When"],
      [f.column.name]: ["Made"],
      [f.resolution.name]: ["hour"],
      [f.unit.name]: ["kWh"],
      [f.time_format.name]: ["MMM DD YYYY HH:mm"],
      [f.time_zone.name]: ["UTC"],
      [f.stamp.name]: ["start"],
    };
    const { dialogue, find } = openDialogue({ options, yes: true });
    const production = await find(() => askProduction(dialogue, new InputFiles()));
    assertEquals([production?.entry.time, production?.entry.column], ["When", "Made"]);
  });

  it("S10: list zone and stamp together", async () => {
    const file = await write("list.csv", exportOfParis());
    assertEquals(await listMissing(file), ["--production-time-zone", "--production-stamp"]);
  });
});

describe("a trial import of production", () => {
  it("S5, N1: shows by the code of the reader's error which answer the file refutes", async () => {
    const file = await Deno.makeTempFile({ suffix: ".csv" });
    const rows = ["26.03.2023 01:00;1,5", "26.03.2023 02:00;2,5", "26.03.2023 03:00;2,5"];
    await Deno.writeTextFile(file, ["Zeit;Leistung kW", ...rows, "Summe;6,5", ""].join("\n"));
    const right: ProductionFormat = {
      column: "Leistung kW",
      time: "Zeit",
      resolution: "hour",
      unit: "kW",
      time_format: "DD.MM.YYYY HH:mm",
      time_zone: "UTC",
      decimal: ",",
      leave_out: ["Summe"],
    };
    const inputs = new InputFiles();
    const wrong: readonly (readonly [keyof typeof f, Partial<ProductionFormat>])[] = [
      ["time_format", { time_format: "MM/DD/YYYY HH:mm" }],
      ["time_format", { time_format: "MM.DD.YYYY HH:mm" }],
      ["time_format", { time_format: "JJ.MM.AAAA" }],
      ["leave_out", { leave_out: [] }],
      ["time_zone", { time_zone: "Europe/Berlin" }],
      ["time_zone", { time_zone: undefined }],
      ["decimal", { decimal: "." }],
      ["resolution", { resolution: "10min" }],
      ["unit", { unit: "MW" }],
    ];
    for (const [field, change] of wrong) {
      const result = await inputs.read(file, { ...right, ...change });
      const error: Error & ErrorFacts = result instanceof Error
        ? result
        : new ArgumentError("it was read");
      const isNamed = findCauses(error).includes(field);
      assertEquals([isNamed, error.message.includes(file)], [true, false], error.message);
    }
    assertEquals((await inputs.read(file, right)) instanceof Error, false);
    await Deno.remove(file);
  });
});
