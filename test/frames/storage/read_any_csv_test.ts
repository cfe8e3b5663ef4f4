import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { extractEpochs } from "../../../src/frames/frame.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { readFrame, type ReadFrameOptions } from "../../../src/frames/storage/read_frame.ts";
import { listColumn } from "../_text.ts";

describe("M11: readFrame() with any CSV file", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  const read = async (text: string, options?: ReadFrameOptions) => {
    await Deno.writeTextFile(`${folder}/own.csv`, text);
    return await readFrame(`${folder}/own.csv`, options);
  };

  it("NB10 refuses a zone that does not exist, for any kind of file", async () => {
    for (const name of ["own.csv", "own.parquet"]) {
      const message = 'timeZone "Nowhere": it is not an IANA time zone. Give a name like';
      await assertRejects(
        () => readFrame(`${folder}/${name}`, { timeZone: "Nowhere" }),
        Error,
        message,
      );
    }
  });

  it("finds header, delimiter and types, and leaves out comments", async () => {
    const frame = await read(
      "# mast 2, of 2023\nmast;time;day;id;wind;ok\nA;2023-05-01T00:00Z;2023-05-01;007;7,25;true\n" +
        "B;2023-05-01T01:00Z;;010;NA;\n",
    );
    assertEquals(frame.columns, ["mast", "time", "day", "id", "wind", "ok"]);
    assertEquals(
      frame.dtypes.map(({ variant }) => variant),
      ["String", "Datetime", "Date", "String", "Float64", "Bool"],
    );
    assertEquals(listColumn(frame, "wind"), [7.25, null]);
    assertEquals(listColumn(frame, "id"), ["007", "010"]);
  });

  it("is the user's data, identified by its hash and not by the time", async () => {
    const [source] = provenance(await read("a\n1\n"));
    assertEquals(Object.keys(source), [
      "operation",
      "parameters",
      "sha256",
      "world",
      "attribution",
    ]);
    assertEquals([source.parameters.file, source.world], ["own.csv", "own"]);
  });

  it("is SYNTHETIC if its first line says so", async () => {
    const [{ world }] = provenance(
      await read("# SYNTHETIC: the built-in sample, not real data\na,b\n1,2\n"),
    );
    assertEquals(world, "sample");
  });

  it("keeps commas within texts, and lines within quotes", async () => {
    const frame = await read('name;note\nA;x, y, z\nB;"one\ntwo; ""three"""\n');
    assertEquals(listColumn(frame, "note"), ["x, y, z", 'one\ntwo; "three"']);
    assertEquals(listColumn(await read("a\tb\n1\t2\n"), "b"), [2]);
    assertEquals(listColumn(await read("v\n1\n2\n"), "v"), [1, 2]);
  });

  it("places local stamps in the caller's zone, even if the clock goes back", async () => {
    const hours = ["01:00", "02:00", "02:00", "03:00"].map((hour) => `2023-10-29 ${hour},1\n`);
    const frame = await read(`time,v\n${hours.join("")}`, { timeZone: "Europe/Copenhagen" });
    const stamps = Array.from(
      extractEpochs(frame, "time"),
      (epoch) => new Date(epoch).toISOString(),
    );
    assertEquals(stamps.map((stamp) => stamp.slice(11, 16)), ["23:00", "00:00", "01:00", "02:00"]);
  });

  it("refuses stamps without offset or zone, and hours that the clock skips", async () => {
    const refuse = async (text: string, options?: ReadFrameOptions) =>
      (await assertRejects(() => read(text, options), DataFormatError)).message;
    const local = "time,v\n2023-03-26 01:00,1\n2023-03-26 02:30,1\n";
    assertStringIncludes(await refuse(local), 'line 2, column "time"');
    assertStringIncludes(
      await refuse(local),
      "Correct it, or give timeZone, the time zone of the file",
    );
    assertStringIncludes(
      await refuse(local, { timeZone: "Europe/Copenhagen" }),
      'line 3, column "time": "2023-03-26 02:30" is not a local time of Europe/Copenhagen',
    );
    assertStringIncludes(await refuse("a,a\n1,2\n"), 'column "a" is duplicated');
    assertStringIncludes(await refuse("a,b\n1\n"), "line 2 has 1 fields");
    assertStringIncludes(await refuse(""), "it is empty");
  });
});
