import { gzipSync, zipSync } from "fflate";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { recognizeFile } from "../../../src/frames/presets/recognize_file.ts";
import { utf8 } from "../_text.ts";
import { edpFile, greenbyteEvents, greenbyteFile, hillOfTowieFile, newRegister } from "./_files.ts";

const brief = async (bytes: Uint8Array) => {
  const { kind, format, preset } = await recognizeFile(bytes);
  return [kind, format, preset];
};

describe("recognizeFile()", () => {
  it("finds the preset of a file by its columns", async () => {
    const data = greenbyteFile({ rows: [["2016-03-01 00:00:00", "1"]] });
    assertEquals(await brief(data), ["production", "csv", "greenbyte"]);
    assertEquals(await brief(greenbyteEvents([])), ["events", "csv", "greenbyte"]);
    assertEquals(await brief(hillOfTowieFile(["1"], ["2019-03-01 00:10:00"])), [
      "production",
      "csv",
      "hill-of-towie",
    ]);
    assertEquals(await brief(edpFile(["T01,2016-01-01T00:00:00+00:00,5,1"])), [
      "production",
      "csv",
      "edp",
    ]);
    const register = await newRegister([
      { id: "570715000000064601", connected: null, east: 1, north: 1, months: [1, 2] },
    ]);
    assertEquals(await brief(register), ["production", "xlsx", "danish-register"]);
    const log = greenbyteEvents([]);
    for (
      const [members, kind] of [
        [{ "a/Status_K1.csv": log, "a/Turbine_Data_K1.csv": data }, "production"],
        [{ "a/Turbine_Data_K1.csv.gz": gzipSync(data) }, "production"],
        [{ "a/Status_K1.csv": log }, "events"],
      ] as const
    ) assertEquals(await brief(zipSync(members)), [kind, "zip", "greenbyte"]);
  });

  it("finds climate, power curves and plain tables, with their columns and the reasons", async () => {
    const header = "valid_time,u100,v100,latitude,longitude\n2023-07-15 13:00:00,1,2,55,8\n";
    assertEquals(await brief(utf8(header)), ["climate", "csv", undefined]);
    const curve = "type;wind_speed;power\nA;3;0\nA;12;2000\n";
    assertEquals(await brief(utf8(curve)), ["power curve", "csv", undefined]);
    assertEquals(await brief(Uint8Array.of(0x89, 0x48, 0x44, 0x46)), [
      "climate",
      "netcdf",
      undefined,
    ]);
    const plain = await recognizeFile(
      utf8("Park Nord;;\nZeit;Leistung;Status\n01.05.2023 00:10;840,5;Run\n"),
    );
    assertEquals(plain.kind, "production");
    assertEquals(plain.columns.map(({ cells }) => cells), ["times", "numbers", "texts"]);
    assert(plain.reasons[0].includes('"Leistung"'), plain.reasons[0]);
    assertEquals(plain.columns.map(({ first }) => first[0]), ["01.05.2023 00:10", "840,5", "Run"]);
  });

  it("finds the header below a comment with as many commas", async () => {
    const { kind, columns } = await recognizeFile(
      utf8("# SYNTHETIC: invented, not real data\ntime,power\n2023-05-01T00:00Z,1\n"),
    );
    assertEquals([kind, columns.map(({ name }) => name)], ["production", ["time", "power"]]);
  });

  it("N9: joins rows of units and formats below the names to them, and merged names", async () => {
    const units = await recognizeFile(utf8(
      "DateTime (UTC)\tWTG01_ActPower\tWind\nm/d/yyyy h:mm AM/PM\tkWh\tm/s\n" +
        "1/1/2014 12:00 AM\t525.7\t-999\n1/1/2014 1:00 AM\t622.3\t-999\nMax\t2050\t\n",
    ));
    assertEquals([units.kind, units.headerRows, units.delimiter], ["production", 2, "\t"]);
    assertEquals(units.columns.map(({ name, cells }) => [name, cells]), [
      ["DateTime (UTC) / m/d/yyyy h:mm AM/PM", "times"],
      ["WTG01_ActPower / kWh", "numbers"],
      ["Wind / m/s", "numbers"],
    ]);
    const merged = "Park Nord;;\nZeit;WTG 03;\n;Leistung;Status\n;kW;\n01.05.2023 00:10;8,5;Run\n";
    const { headerRows, columns } = await recognizeFile(utf8(merged));
    assertEquals(headerRows, 3);
    assertEquals(columns.map(({ name }) => name), [
      "Zeit",
      "WTG 03 / Leistung / kW",
      "WTG 03 / Status",
    ]);
    const words = await recognizeFile(utf8("Monat;MWh\nJan;\nFeb;40\n"));
    assertEquals([words.headerRows, words.columns[0].name], [undefined, "Monat"]);
  });

  it("S6: finds times and numbers above a total, and texts if cells differ in another way", async () => {
    const months = Array.from({ length: 12 }, (_, i) => `2023-${`${i + 1}`.padStart(2, "0")};40`);
    const read = async (rows: readonly string[]) => {
      const { kind, columns } = await recognizeFile(utf8(["Monat;MWh", ...rows, ""].join("\n")));
      return [kind, ...columns.map(({ cells }) => cells)];
    };
    assertEquals(await read([...months, "Summe;480"]), ["production", "times", "numbers"]);
    assertEquals(await read([...months.slice(0, 2), "Summe;80"]), [
      "production",
      "times",
      "numbers",
    ]);
    assertEquals(await read(["Jan;40", ...months, "Summe;480"]), ["unknown", "texts", "numbers"]);
    assertEquals(await read(["2023-01;40", "Februar;30"]), ["unknown", "texts", "numbers"]);
  });

  it("reads the names of a file that is not UTF-8", async () => {
    const text = "Dato;M\u00e5lerstand\n30-04-2023 23:00;104,5\n";
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const { columns, encoding } = await recognizeFile(bytes);
    assertEquals([columns[1].name, encoding], ["M\u00e5lerstand", "latin1"]);
  });

  it("says why it does not recognize a file", async () => {
    assertEquals((await recognizeFile(utf8("GRIB"))).reasons, [
      "It is GRIB, which cannot be read. Request NetCDF4",
    ]);
    assertEquals((await recognizeFile(new Uint8Array(0))).reasons, ["It is empty"]);
    assertEquals((await recognizeFile(utf8("Hello\nWorld\n"))).kind, "unknown");
    await assertRejects(() => recognizeFile("/nowhere/x.csv"), ArgumentError, "does not exist");
  });
});
