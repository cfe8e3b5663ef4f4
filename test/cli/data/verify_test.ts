import { assert, assertEquals, assertMatch } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { openStorage } from "../../../src/storage/storage.ts";
import { importFile, makeSite, type TestSite } from "../../sites/_site.ts";
import { callCommand } from "../_command.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

describe("verify", () => {
  let folder: string;
  let data: string;
  let site: TestSite;
  let siteFile: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    data = `${folder}/data`;
    site = await makeSite();
    siteFile = await site.siteFile();
    await importFile(siteFile, data);
  });
  afterEach(async () => {
    for (const one of [folder, site.folder]) await Deno.remove(one, { recursive: true });
  });

  const verify = () => callCommand("verify", "--data", data);

  it("reports that everything is intact", async () => {
    const { code, out } = await verify();
    assertEquals([code, out], [0, `Read the database and 2 files of ${data}: all are intact`]);
  });

  it("names a file with a flipped bit, which the next import stores again", async () => {
    await using storage = await openStorage(data);
    const { modelFile } = (await sitesOf(storage.store).turbine("E1"))!;
    const path = storage.files.path(modelFile!);
    const [bytes, { mtime }] = [await Deno.readFile(path), await Deno.stat(path)];
    bytes[bytes.length >> 1] ^= 1;
    await Deno.writeFile(path, bytes);
    await Deno.utime(path, mtime!, mtime!);
    const { code, out } = await verify();
    assertEquals(code, 1);
    assertMatch(
      out,
      /\/files\/[0-9a-f]{64}\.parquet, the hourly model of E1, is damaged\n/,
    );
    assertMatch(out, /: 1 file damaged or missing$/);
    assertEquals(await storage.files.find(modelFile!), undefined);
    assert(await storage.files.find(`${modelFile}.damaged`));
    assertMatch((await verify()).out, /, the hourly model of E1, is missing\n/);
    await importFile(siteFile, data);
    assertEquals((await verify()).code, 0);
  });

  it("names a damaged document, and how to restore it", async () => {
    {
      await using storage = await openStorage(data);
      const { engine } = storage.store.documents;
      await engine.run("UPDATE contents SET body = '{}' WHERE kind = 'turbine' AND part = 2");
    }
    const { code, error } = await verify();
    assertEquals(code, 1);
    assertMatch(
      error,
      /the turbine E1 is damaged\. Stop the service, move its data directory away/,
    );
  });
});
