import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { zipSync } from "fflate";
import { DataFormatError } from "../../src/api/errors.ts";
import { climateTime } from "../../src/api/columns/climate_columns.ts";
import { readClimateFile, writeClimateFile } from "../../src/frames/climate_file.ts";
import { buildFrame } from "../../src/frames/frame.ts";
import { zip } from "../../src/frames/files/archive.ts";
import { column, listColumn, utf8 } from "./_text.ts";

const MICRO_HOUR = 3_600_000_000;
const place = { latitude: 55.49, longitude: -7.84, elevation: 12.5 };

/** Three hours of 1970 with a gap, a long fraction and an unknown column. */
function climate(timeZone = "UTC") {
  return buildFrame(
    [
      climateTime,
      column("wind_speed_100", "f64"),
      column("temperature", "f64"),
      column("odd", "utf8"),
    ],
    {
      time: [0, MICRO_HOUR, 2 * MICRO_HOUR],
      wind_speed_100: [7.123456789012345, null, 0],
      temperature: [-3.25, 0.1, 1e-7],
      odd: ["x", null, "ø"],
    },
    timeZone,
  );
}

const read = (text: string | Uint8Array) =>
  readClimateFile(typeof text === "string" ? utf8(text) : text, "climate.csv");

describe("writeClimateFile()", () => {
  it("writes the place, then tab-separated columns by their wire names, stamps in UTC", () => {
    const lines = new TextDecoder().decode(writeClimateFile(climate(), place)).split("\n");
    assertEquals(lines.slice(0, 6), [
      "Latitude: 55.49",
      "Longitude: -7.84",
      "Orography: 12.5",
      "time\twSpeed.100\ttemp\todd",
      "1970-01-01T00:00:00Z\t7.123456789012345\t-3.25\tx",
      "1970-01-01T01:00:00Z\t\t0.1\t",
    ]);
  });

  it("writes UTC even if the frame is in another zone", () => {
    const text = new TextDecoder().decode(writeClimateFile(climate("Europe/Copenhagen"), place));
    assertStringIncludes(text, "\n1970-01-01T00:00:00Z\t7.12");
  });
});

describe("writeClimateFile() and readClimateFile()", () => {
  it("round-trip without losing a digit", async () => {
    const frame = climate();
    const copy = await read(writeClimateFile(frame, place));
    assertEquals(copy.frame.columns, frame.columns);
    assertEquals(copy.frame.dtypes.map(String), frame.dtypes.map(String));
    assertEquals(copy.frame.toRecords(), frame.toRecords());
    assertEquals(copy.place, place);
    assertEquals(copy.columns.map(({ name }) => name), ["time", "wind_speed_100", "temperature"]);
  });

  it("round-trip without rows, and without an elevation", async () => {
    const columns = [climateTime, column("wind_speed_100", "f64")];
    const empty = buildFrame(columns, { time: [], wind_speed_100: [] });
    const copy = await read(writeClimateFile(empty, { ...place, elevation: null }));
    assertEquals(copy.frame.dtypes.map(String), [
      "DataType(Datetime(us,UTC))",
      "DataType(Float64)",
    ]);
    assertEquals(copy.place, { ...place, elevation: null });
  });

  it("round-trip through a zip archive", async () => {
    const archive = await zip({ "climate.csv": writeClimateFile(climate(), place) });
    const copy = await read(archive);
    assertEquals(copy.frame.toRecords(), climate().toRecords());
  });
});

describe("readClimateFile()", () => {
  for (const [name, delimiter] of [["commas", ","], ["semicolons", ";"], ["tabs", "\t"]]) {
    it(`F31 reads ${name}, without a preamble`, async () => {
      const text = ["time", "wSpeed.100"].join(delimiter) + "\n" +
        ["2020-01-01T00:00:00Z", "7.5"].join(delimiter) + "\n";
      const content = await read(text);
      assertEquals(listColumn(content.frame, "wind_speed_100"), [7.5]);
      assertEquals(content.place, undefined);
    });
  }

  it("reads stamps without offset as UTC, as the service documents", async () => {
    const { frame } = await read("time,temp\n2020-01-01 05:00,4\n");
    assertEquals(listColumn(frame, "time"), [new Date("2020-01-01T05:00Z")]);
  });

  it("reads a place south and west of the origin, in any case of letters, at sea level", async () => {
    const { place } = await read(
      "LATITUDE: -33.5\r\nlongitude:-70.25\r\nOrography: 0\r\ntime,temp\r\n",
    );
    assertEquals(place, { latitude: -33.5, longitude: -70.25, elevation: 0 });
  });

  it("F5 refuses a web page and a file without time", async () => {
    await assertRejects(() => read("<html>Log in</html>"), DataFormatError, "it is a web page");
    await assertRejects(() => read("stamp,temp\n1,2\n"), DataFormatError, 'the columns "time"');
  });

  it("F32 refuses ragged rows, counted from the file's first line", async () => {
    const text = "Latitude: 1\nLongitude: 2\ntime,temp\n2020-01-01,4\n2020-01-02\n";
    await assertRejects(() => read(text), DataFormatError, "climate.csv: line 5 has 1 fields");
  });

  it("F25 refuses an archive without a csv member", async () => {
    const archive = await zip({ "climate.dat": utf8("time,temp\n") });
    await assertRejects(() => read(archive), DataFormatError, "Cannot unzip climate.csv");
  });

  it("F39 reads a file by its path, zipped or not, like its bytes", async () => {
    const bytes = writeClimateFile(climate(), place);
    for (const content of [bytes, await zip({ "climate.csv": bytes })]) {
      const path = await Deno.makeTempFile();
      await Deno.writeFile(path, content);
      const fromPath = await readClimateFile(path, "climate.csv");
      await Deno.remove(path);
      assertEquals(fromPath.frame.toRecords(), climate().toRecords());
      assertEquals(fromPath.place, place);
    }
    await assertRejects(() => readClimateFile("/nowhere/climate.csv", "x"), Deno.errors.NotFound);
  });

  it("F39 takes at most twice the memory of its frame for a large file, a little more zipped", async () => {
    if (Deno.build.os !== "linux") return; // the peak is read in /proc
    const row = (i: number) =>
      `${new Date(i * 3_600_000).toISOString().slice(0, 19)}Z,7.125,180.5,6.25,8.5,101325\n`;
    const part = Array.from({ length: 24_000 }, (_, i) => row(i)).join("");
    const content = utf8(`time,wSpeed.100,wDir.100,wSpeed.10,temp,press\n${part.repeat(100)}`);
    const frame = 2_400_000 * 6 * 8; // 115 MB; the text is as large
    const archive = zipSync({ "climate.csv": content }, { level: 1 });
    for (const [bytes, bound] of [[content, 2], [archive, 2.5]] as const) {
      const path = await Deno.makeTempFile();
      try {
        await Deno.writeFile(path, bytes);
        const script = new URL("_climate_memory.ts", import.meta.url).pathname;
        const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
          args: ["run", "--no-check", "-A", script, path],
        }).output();
        const text = new TextDecoder();
        assertEquals(text.decode(stderr), "");
        const [height, width, growth] = JSON.parse(text.decode(stdout));
        assertEquals([height, width], [2_400_000, 6]);
        assertEquals(growth < bound * frame, true, `${growth} bytes for a frame of ${frame}`);
      } finally {
        await Deno.remove(path);
      }
    }
  });
});
