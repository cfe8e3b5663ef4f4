import pl from "nodejs-polars";
import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../src/api/errors.ts";
import { saveFrame } from "../../src/frames/storage/save_frame.ts";
import { SourceFiles } from "../../src/sites/source_files.ts";

describe("SourceFiles", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    await Deno.mkdir(`${folder}/data`);
    await Deno.writeTextFile(`${folder}/data/a.csv`, "a");
    await Deno.writeTextFile(`${folder}/b.csv`, "b");
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  const open = () => new SourceFiles({ folder, frames: new Map() });
  const text = async (files: SourceFiles, name: string) =>
    new TextDecoder().decode(await files.read(name));

  /** Returns the fingerprint after reading files. */
  async function fingerprint(names: readonly string[], declaration = "{}"): Promise<string> {
    const files = open();
    for (const name of names) await files.read(name);
    return await files.fingerprint(declaration);
  }

  it("reads paths relative to the site file's folder, and absolute ones", async () => {
    assertEquals(await text(open(), "data/a.csv"), "a");
    assertEquals(await text(open(), `${folder}/b.csv`), "b");
  });

  it("reads a frame instead of a file of its name, as the bytes that saveFrame() writes", async () => {
    const frame = pl.DataFrame({ power: [1, 2] });
    const files = new SourceFiles({ folder, frames: new Map([["a.parquet", frame]]) });
    await saveFrame(frame, `${folder}/a.parquet`);
    assertEquals(
      Uint8Array.from(await files.read("a.parquet")),
      await Deno.readFile(`${folder}/a.parquet`),
    );
  });

  it("unpacks a file that ends in .gz", async () => {
    const packed = new Blob(["packed"]).stream().pipeThrough(new CompressionStream("gzip"));
    await Deno.writeFile(`${folder}/c.csv.gz`, packed);
    assertEquals(await text(open(), "c.csv.gz"), "packed");
  });

  it("names a missing file and its full path", async () => {
    const { message } = await assertRejects(() => open().read("no.csv"), ArgumentError);
    assert(message.includes("no.csv") && message.includes(`${folder}/no.csv`), message);
  });

  it("has the same fingerprint for the same declaration and sources, in any order", async () => {
    assertEquals(
      await fingerprint(["data/a.csv", "b.csv"]),
      await fingerprint(["b.csv", "data/a.csv"]),
    );
  });

  it("has another fingerprint for another declaration, source, or content", async () => {
    const names = ["data/a.csv", "b.csv"];
    const first = await fingerprint(names);
    assertNotEquals(await fingerprint(names, "{ }"), first);
    assertNotEquals(await fingerprint(["b.csv"]), first);
    await Deno.writeTextFile(`${folder}/b.csv`, "c");
    assertNotEquals(await fingerprint(names), first);
  });

  it("has the same fingerprint for a file that was only touched", async () => {
    const first = await fingerprint(["b.csv"]);
    await Deno.utime(`${folder}/b.csv`, 1, 1);
    assertEquals(await fingerprint(["b.csv"]), first);
  });
});
