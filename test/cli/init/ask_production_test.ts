import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { askProduction } from "../../../src/cli/init/ask_production.ts";
import { InputFiles } from "../../../src/cli/init/input_files.ts";
import { placeQuestions } from "../../../src/cli/init/place_questions.ts";
import { greenbyteEvents, greenbyteFile, tenMinutes } from "../../frames/presets/_files.ts";
import { MisuseError } from "../../../src/cli/command.ts";
import { openDialogue } from "./_dialogue.ts";

/** Hours of Paris around the clock change of March 2014 as an export writes them, with a total below. */
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

describe("production that is asked for", () => {
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

  /** Asks with a terminal that answers lines. */
  async function ask(lines: readonly string[]) {
    const { dialogue, text } = openDialogue({ lines });
    return { found: await askProduction(dialogue, new InputFiles()), text: text() };
  }

  /** Writes a file, and gives its path. */
  async function write(name: string, content: string): Promise<string> {
    await Deno.mkdir(`${folder}/own`, { recursive: true });
    await Deno.writeTextFile(`${folder}/own/${name}`, content);
    return `${folder}/own/${name}`;
  }

  it("is found in a folder of a preset, without its status logs, and shown for the turbines that are chosen", async () => {
    const { found, text } = await ask([folder, "", "2", ""]);
    assertEquals(found?.how, { preset: "greenbyte" });
    assertEquals(found?.turbines, ["Kelmarsh 2"]);
    assertEquals([found?.file].flat().length, 4);
    assertStringIncludes(text, "4 files are csv of the preset greenbyte.");
    assertStringIncludes(text, "Status_Kelmarsh_1_2016.csv (greenbyte events)");
    assertStringIncludes(text, "Kelmarsh 2, 2016-03-01 00:00 to 2017-03-01 00:20: 4 of ");
  });

  it("U2: keeps a folder whole where a month begins with rows without a value, and names what it leaves out", async () => {
    const months = `${folder}/months`;
    await Deno.mkdir(months);
    const writeMonth = async (month: string, empty: number) => {
      const rows = Array.from({ length: 300 }, (_, hour) => {
        const stamp = Temporal.Instant.from(`2023-${month}-01T00:00Z`).add({ hours: hour });
        return `${stamp},${hour < empty ? "" : 500 + hour}`;
      });
      await Deno.writeTextFile(
        `${months}/${month}.csv`,
        `time,power kW\n${rows.join("\n")}\n`,
      );
    };
    await writeMonth("01", 200);
    await writeMonth("02", 0);
    const enter = Array(8).fill("");
    const { found } = await ask([months, ...enter]);
    assertEquals([found?.file, found?.leftOut], [months, []]);

    await Deno.writeTextFile(`${months}/notes.csv`, "who,what\nme,calibrated\n");
    const { found: some } = await ask([months, ...enter]);
    assertEquals(some?.file, ["02", "01"].map((month) => `${months}/${month}.csv`));
    assertEquals(some?.leftOut.length, 1);
    assertStringIncludes(some!.leftOut[0], "notes.csv (unknown)");
  });

  it("S5: refuses an answer at once where the file refutes it, and asks for that alone", async () => {
    const file = await write(
      "local.csv",
      "Zeit;Leistung kW\n26.03.2023 01:00;1,5\n26.03.2023 02:00;2,5\n26.03.2023 04:00;3,5\n",
    );
    const enter = ["", "", "", "", "", ""]; // columns, turbine, period, unit, format
    const { found, text } = await ask(
      [file, ...enter, "Europe/Berlin", "UTC", "end", ".", ",", "", "no", "9", "start", ""],
    );
    assertStringIncludes(
      text.replaceAll(/\s+/g, " "),
      "2023-03-26 02:00 does not exist",
    );
    assertStringIncludes(text, '"1,5" is not a number');
    assertStringIncludes(text, "   9  stamp: end\n  10  decimal: ,\n");
    assertEquals(found?.how, {
      column: "Leistung kW",
      time: "Zeit",
      resolution: "hour",
      unit: "kW",
      time_format: "DD.MM.YYYY HH:mm",
      time_zone: "UTC",
      stamp: "start",
      decimal: ",",
    });
  });

  it("S2, S3, S4, S6: has proposals for turbines, step, order of day and month, and a total", async () => {
    const file = await write("paris.csv", exportOfParis());
    const enter = ["", "", "", "", "", ""]; // columns, period, unit, format, rows below
    const { found, text } = await ask([file, ...enter, "UTC+1", "Europe/Paris", "end", "", "", ""]);
    assertStringIncludes(
      text.replaceAll(/\s+/g, " "),
      '[DD/MM/YYYY HH:mm ("20/03/2014 01:00" in line 4)]',
    );
    assertStringIncludes(text, '[1 ("Total" in line 291)]');
    assertStringIncludes(text, '"UTC+1" is not an IANA time zone');
    assertEquals(found, {
      file,
      how: {
        column: { R80711: "R80711 Production (kWh)", R80736: "R80736 Production (kWh)" },
        time: "Horodate",
        resolution: "hour",
        unit: "kWh",
        time_format: "DD/MM/YYYY HH:mm",
        time_zone: "Europe/Paris",
        stamp: "end",
        decimal: ",",
        footer_rows: 1,
      },
      turbines: ["R80711", "R80736"],
      leftOut: [],
    });
  });

  it("S4: shows both readings where the file does not decide between them, and proposes none", async () => {
    const rows = [0, 1, 2].map((hour) => `01/02/2023 0${hour}:00,4`).join("\n");
    const file = await write("open.csv", `time,power (kW)\n${rows}\n`);
    const { found, text } = await ask(
      [file, "", "", "", "", "", "", "MM/DD/YYYY HH:mm", "UTC", "start", ""],
    );
    assertStringIncludes(
      text.replaceAll(/\s+/g, " "),
      '"01/02/2023 00:00" is 1 February 2023 by DD/MM/YYYY HH:mm, 2 January 2023 by MM/DD/YYYY HH:mm:',
    );
    assertStringIncludes(text, "An answer is needed");
    assertEquals("time_format" in found!.how && found!.how.time_format, "MM/DD/YYYY HH:mm");
  });

  it("S4: takes the order of day and month that is of months, or in which times follow each other", async () => {
    const rows = [1, 2, 3, 4].map((month) => `01/0${month}/2023;40`).join("\n");
    const file = await write("months.csv", `Mois;MWh\n${rows}\nTotal;160\n`);
    const { found, text } = await ask([file, "", "", "", "month", "", "", "", ""]);
    assertStringIncludes(text.replaceAll(/\s+/g, " "), '[DD/MM/YYYY ("01/02/2023" in line 3)]');
    assertEquals(found?.how.time_format, "DD/MM/YYYY");
    const days = await write(
      "days.csv",
      `t,kW\n01/11/2023 23:00,4\n01/12/2023 00:00,4\n02/01/2023 00:00,4\n`,
    );
    const other = await ask([days, "", "", "", "hour", "", "", "UTC", "start", ""]);
    assertStringIncludes(
      other.text.replaceAll(/\s+/g, " "),
      "[MM/DD/YYYY HH:mm (else they would not be in order)]",
    );
  });

  it("S15: says that a clock goes back where a zone has no such hour", async () => {
    const hours = ["00", "01", "02", "02", "03"].map((hour) => `26.10.2014 ${hour}:00;4`);
    const file = await write("autumn.csv", `Zeit;kWh\n${hours.join("\n")}\n`);
    const { dialogue, text } = openDialogue({
      lines: ["Europe/Paris", file, "", "", "", "", "", "", "UTC", "Europe/Paris", "start", ""],
    });
    await dialogue.ask(placeQuestions.zone);
    const found = await askProduction(dialogue, new InputFiles());
    assertStringIncludes(
      text().replaceAll(/\s+/g, " "),
      "2014-10-26T02:00Z is duplicated: the clock goes back there. Europe/Paris has such an hour",
    );
    assertEquals(found?.how.time_zone, "Europe/Paris");
  });

  it("H3: reads months that share their last row with one call, and names them as one entry", async () => {
    const months = await Deno.makeTempDir({ dir: folder });
    const file = (stamps: readonly string[]) =>
      ["TimeStamp,StationId,wtc_ActPower_mean", ...stamps.map((stamp) => `${stamp},T1,400`), ""]
        .join("\n");
    const joint = "2021-02-01 00:00:00";
    const [january, february] = [["2021-01-31 23:50:00", joint], [joint, "2021-02-01 00:10:00"]];
    await Deno.writeTextFile(`${months}/tblSCTurGrid_2021_01.csv`, file(january));
    await Deno.writeTextFile(`${months}/tblSCTurGrid_2021_02.csv`, file(february));
    const { found, text } = await ask([months, "", ""]);
    assertEquals(found, {
      file: months,
      how: { preset: "hill-of-towie" },
      turbines: ["T1"],
      leftOut: [],
    });
    assertStringIncludes(text, "T1, 2021-01-31 23:40 to 2021-02-01 00:00: 3 of 3 ten minutes");
  });

  it("H4: asks for the zone and the end of a stamp where preset and file leave them open", async () => {
    const file = await write(
      "scada_signals.csv",
      "Turbine_ID,Timestamp,Grd_Prod_Pwr_Avg\nT1,2021-01-01T00:00:00,400\nT1,2021-01-01T00:10:00,400\n",
    );
    const { found, text } = await ask([file, "", "UTC", "end", ""]);
    assertEquals(found?.how, { preset: "edp", time_zone: "UTC", stamp: "end" });
    assertStringIncludes(text, "start or end [start (assumed)]: ");
    assertEquals(text.includes("has no offset"), false);
    const { dialogue } = openDialogue({ options: { production: [file] }, yes: true });
    assertEquals(await askProduction(dialogue, new InputFiles()), undefined);
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertEquals(message.match(/^ {2}--[\w-]+/gm), ["  --production-zone", "  --stamp"]);
  });

  it("M14: asks which of many turbines are wanted before any is shown", async () => {
    const ids = Array.from({ length: 40 }, (_, i) => `T${i + 1}`);
    const rows = ids.flatMap((id) => [`2023-01,${id},40`, `2023-02,${id},50`]);
    const file = await write("many.csv", ["month,turbine,MWh", ...rows, ""].join("\n"));
    const { found, text } = await ask([file, "", "", "", "", "", "", "T7 T9", ""]);
    assertEquals(found?.turbines, ["T7", "T9"]);
    assertStringIncludes(text, "It has 40 turbines: T1, T2, T3");
    assertEquals(text.match(/^ {2}T\d+, 2023-01 to/gm), ["  T7, 2023-01 to", "  T9, 2023-01 to"]);
  });

  it("H3: names each file of a folder that a preset knows by its columns and not by its names", async () => {
    const named = await Deno.makeTempDir({ dir: folder });
    const content = greenbyteFile({ rows: tenMinutes("2016-03-01 00:00:00", ["100", "300"]) });
    await Deno.writeFile(`${named}/K1.csv`, content);
    const { found } = await ask([named, "", ""]);
    assertEquals(found?.file, [`${named}/K1.csv`]);
  });

  it("says which line has a time of another form than the first", async () => {
    const rows = ["2023-01-01T00:00Z;1", "2023-01-01T01:00;2", "2023-01-01T02:00;2"];
    const file = await write("mixed.csv", ["t;kW", ...rows, ""].join("\n"));
    const { dialogue, text } = openDialogue({ lines: [file, "", "", "", "", "", ""] });
    await assertRejects(() => askProduction(dialogue, new InputFiles()), MisuseError);
    assertStringIncludes(text(), "2023-01-01T01:00");
  });

  /** Two days of a vendor's export: tabs, a row of units, AM and PM, a sign for missing, rows below. */
  function exportOfVendor(): string {
    const rows = Array.from({ length: 48 }, (_, i) => {
      const clock = `${i % 12 || 12}:00 ${i % 24 < 12 ? "AM" : "PM"}`;
      return `1/${13 + Math.floor(i / 24)}/2014 ${clock}\t${i % 9 === 0 ? -999 : 500 + i}\t${i}`;
    });
    const head = ["DateTime (UTC)\tWTG01_ActPower\tWTG02_ActPower", "m/d/yyyy\tkWh\tkWh"];
    return [...head, ...rows, "Max\t2050\t2050", "Average\t450\t460", ""].join("\n");
  }

  it("N9, N11, N12, N13: has proposals for a row of units, AM and PM, the end of a period, and a mark", async () => {
    const file = await write("vendor.txt", exportOfVendor());
    const { found, text } = await ask([file, ...Array.from({ length: 11 }, () => "")]);
    const flat = text.replaceAll(/\s+/g, " ");
    assertStringIncludes(flat, "It is tab-separated text. It has times");
    assertStringIncludes(flat, 'the names [2 (then a column is "DateTime (UTC) / m/d/yyyy")]');
    assertStringIncludes(flat, "[start (its first time is 00:00, its last 23:00: whole days");
    assertStringIncludes(flat, "[-999 (6 of the values; the nearest of the others is 0)]");
    assertStringIncludes(flat, "WTG01, 2014-01-13 00:00 to 2014-01-14 23:00: 42 of 48 hours");
    assertEquals(found?.how, {
      column: { WTG01: "WTG01_ActPower / kWh", WTG02: "WTG02_ActPower / kWh" },
      time: "DateTime (UTC) / m/d/yyyy",
      resolution: "hour",
      unit: "kWh",
      time_format: "M/D/YYYY h:mm A",
      time_zone: "UTC",
      stamp: "start",
      header_rows: 2,
      footer_rows: 2,
      null_values: [-999],
    });
  });

  it("N13: never takes a value as missing without being seen, and asks for one where that is wrong", async () => {
    const file = await write("vendor.txt", exportOfVendor());
    const given = { production: [file], "production-zone": ["UTC"], stamp: ["start"] };
    const { dialogue } = openDialogue({ options: given, yes: true });
    await askProduction(dialogue, new InputFiles());
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    assertEquals(message.match(/^ {2}--[\w-]+/gm), ["  --null-values"]);
    const plain = await write(
      "plain.csv",
      "time,kWh\n2023-01-01T00:00Z,4\n2023-01-01T01:00Z,-1\n2023-01-01T02:00Z,5\n",
    );
    const enter = ["", "", "", "", "", "", ""];
    const { found, text } = await ask([plain, ...enter, "no", "11", "-1", ""]);
    assertStringIncludes(text, "  11  something else: Values that mean missing, as -999, or none");
    assertEquals(found?.how.null_values, [-1]);
  });

  it("N10: lets options read a table that is not recognized", async () => {
    const rows = ["Jan 01 2023 00:00,4", "Jan 01 2023 01:00,5"].join("\n");
    const file = await write("odd.csv", `When,Made\n,1\n${rows}\n`);
    const options = {
      production: [file],
      preset: ["none"],
      "header-rows": ["2"],
      "time-column": ["When"],
      "production-column": ["Made / 1"],
      "turbine-column": ["none"],
      resolution: ["hour"],
      unit: ["kWh"],
      "time-format": ["MMM DD YYYY HH:mm"],
      "production-zone": ["UTC"],
      stamp: ["start"],
    };
    const { dialogue } = openDialogue({ options });
    const found = await askProduction(dialogue, new InputFiles());
    dialogue.assertComplete();
    assertEquals([found?.how.header_rows, found?.how.column], [2, "Made / 1"]);
    const { dialogue: other, text } = openDialogue({ lines: [file] });
    await assertRejects(() => askProduction(other, new InputFiles()), MisuseError);
    assertStringIncludes(
      text().replaceAll(/\s+/g, " "),
      "This is not recognized: It has no column with times and numbers: production and climate have " +
        "both, a power curve has columns named wind speed and power. If it is production, begin again " +
        "with --header-rows, --time-column and --production-column",
    );
  });

  it("S10: lists zone and end of a stamp before the period is confirmed", async () => {
    const file = await write("list.csv", exportOfParis());
    const { dialogue } = openDialogue({ options: { production: [file] } });
    await askProduction(dialogue, new InputFiles());
    const { message } = assertThrows(() => dialogue.assertComplete(), MisuseError);
    const [needed, offered] = message.split("And these, or --yes:")
      .map((part) => part.match(/^ {2}--[\w-]+/gm)?.map((name) => name.trim()));
    assertEquals(needed, ["--production-zone", "--stamp"]);
    assertEquals(offered, [
      "--time-column",
      "--production-column",
      "--resolution",
      "--unit",
      "--time-format",
      "--footer-rows",
      "--decimal",
      "--thousands",
    ]);
  });
});
