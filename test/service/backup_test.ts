/**
 * Backups: of a data directory in use, complete or absent, and each a data directory itself.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { ArgumentError, ConfigurationError } from "../../src/api/errors.ts";
import { hashFile } from "../../src/disk/hashes.ts";
import { backUp } from "../../src/service/backup.ts";
import { addLicence } from "../../src/service/licences/licence_book.ts";
import { openService, type Service } from "../../src/service/running/service.ts";
import { answersTo, answerTo, type Ask, buildPath, listPaths, ORDERED } from "./_answers.ts";
import {
  hashesBelow,
  importFile,
  makeSite,
  rowsBetween,
  type TestSite,
  wholeExample,
} from "../sites/_site.ts";
import { monthsBetween } from "./_published.ts";

const ORIGIN = "http://localhost";

function asking(service: Service): Ask {
  return (path, headers) => service.fetch(new Request(new URL(path, ORIGIN), { headers }));
}

/** Places an order and waits until it has its address. */
async function ordered(ask: Ask, key: string, fileType: string): Promise<string[]> {
  const order = await answerTo(
    ask,
    buildPath("place_order", { ...ORDERED, filetype: fileType }),
    key,
  );
  const status = buildPath("order_status", { order_id: JSON.parse(order.slice(4)) });
  for (;;) {
    const word = JSON.parse((await answerTo(ask, status, key)).slice(4));
    if (word.startsWith(ORIGIN)) return [status, word.slice(ORIGIN.length)];
    await new Promise((resolve) => setTimeout(resolve)); // gives the order's work a turn
  }
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

describe("backUp()", () => {
  let site: TestSite;
  let data: string;
  let key: string;
  let folder: string;

  beforeAll(async () => {
    site = await makeSite();
    data = await Deno.makeTempDir();
    await importFile(await site.siteFile(), data);
    const licence = { serialNumber: "S-1", email: "a@example.com" };
    key = (await addLicence(data, licence, { key: true })).key!;
  });
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));
  afterAll(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });

  async function rejected(
    to: string,
    kind: typeof ArgumentError | typeof ConfigurationError,
    from = data,
  ): Promise<string> {
    return (await assertRejects(() => backUp(from, to), kind)).message;
  }

  /** The hourly model in a data directory: the file that is not a climate series. */
  async function findModel(directory: string): Promise<string> {
    const service = await openService(directory, { trusted: true });
    await answerTo(asking(service), buildPath("model_data", { turbine_id: "E1" }), "");
    await service.close();
    const rendered = namesIn(`${directory}/files`).find((name) => name.endsWith(".rows"))!;
    return rendered.slice(0, 64) + ".parquet";
  }

  it("contains the files that the rows name, complete and readable only for the owner", async () => {
    const to = `${folder}/monday`;
    const model = await findModel(data);
    const { files, bytes } = await backUp(data, to);
    assertEquals(namesIn(folder), ["monday"]);
    assertEquals(namesIn(to), ["files", "vindkit.sqlite"]);
    const identity = "vindkit-identity";
    const names = namesIn(`${to}/files`).filter((name) => name !== identity);
    assertEquals([names.length, files], [2, 2]);
    assert(names.includes(model));
    let { size } = Deno.statSync(`${to}/files/${identity}`);
    size += Deno.statSync(`${to}/vindkit.sqlite`).size;
    for (const name of names) {
      assertEquals(await hashFile(`${to}/files/${name}`), name.replace(".parquet", ""));
      size += Deno.statSync(`${to}/files/${name}`).size;
    }
    assertEquals(bytes, size);
    const modes = ["", "/files", "/vindkit.sqlite", `/files/${model}`, `/files/${identity}`]
      .map((name) => Deno.statSync(to + name).mode! & 0o777);
    assertEquals(modes, [0o700, 0o700, 0o600, 0o600, 0o600]);
  });

  it("M10: leaves no files if its signal ends it", async () => {
    const signal = AbortSignal.abort(new Error("Stopped"));
    await assertRejects(() => backUp(data, `${folder}/monday`, { signal }), Error, "Stopped");
    assertEquals(namesIn(folder), []);
  });

  it("contains no key", async () => {
    await backUp(data, `${folder}/monday`);
    const database = await Deno.readFile(`${folder}/monday/vindkit.sqlite`);
    assert(!new TextDecoder("latin1").decode(database).includes(key));
  });

  it("taken repeatedly during an import, answers entirely with old or with new data, and orders like the service", async () => {
    const copy = `${folder}/data`;
    await backUp(data, copy); // a copy to change
    const service = await openService(copy);
    const ask = asking(service);
    const paths = [
      ...listPaths(monthsBetween("2023-01", "2025-02")),
      ...await ordered(ask, key, "csv"),
    ];
    const before = await answersTo(ask, paths, key);
    const climate = (await wholeExample())["climate.csv"];
    await site.edit("climate.csv", () => rowsBetween(climate, "2022-12-31T00", "2025-03-01T01"));
    const importing = new Deno.Command(Deno.execPath(), {
      args: ["task", "--quiet", "import", await site.siteFile(), "--data", copy],
      stdout: "null",
    }).spawn();
    let through = false;
    importing.status.then(() => through = true);
    let count = 0;
    while (!through) {
      const fileType = ["zipcsv", "zipraw"][count % 2]; // orders come in meanwhile
      await ask(
        buildPath("place_order", { ...ORDERED, filetype: fileType }),
        new Headers({ "X-Auth": key }),
      );
      await backUp(copy, `${folder}/${count++}`);
    }
    assert((await importing.status).success);
    await backUp(copy, `${folder}/${count++}`);
    const after = await answersTo(ask, paths, key);
    await service.close();
    assert(before[paths[2]] !== after[paths[2]]);

    const states: string[] = [];
    for (let i = 0; i < count; i++) {
      const restored = await openService(`${folder}/${i}`);
      const answers = await answersTo(asking(restored), paths, key);
      states.push(answers[paths[2]] === before[paths[2]] ? "before" : "after");
      assertEquals(answers, states[i] === "before" ? before : after);
      assertEquals((await ordered(asking(restored), key, "zipraw")).length, 2);
      await restored.close();
    }
    assertEquals([states[0], states.at(-1)], ["before", "after"]);
    assertEquals(states, states.toSorted().toReversed(), "never back");
  });

  it("refuses a folder that exists, is in the data directory, or has no folder around it", async () => {
    await Deno.mkdir(`${folder}/there`);
    assertStringIncludes(
      await rejected(`${folder}/there`, ArgumentError),
      "the target already exists",
    );
    assertStringIncludes(
      await rejected(`${folder}/disk/monday`, ArgumentError),
      `the folder ${folder}/disk/ is missing. Create it, or mount its disk`,
    );
    await Deno.symlink(`${data}/files`, `${folder}/link`);
    for (const inside of [`${data}/monday`, `${data}/files/monday`, `${folder}/link/monday`]) {
      assertStringIncludes(
        await rejected(inside, ArgumentError),
        "inside the data directory",
      );
    }
    assertEquals(namesIn(folder), ["link", "there"]);
    assertEquals(namesIn(data).filter((name) => name.includes("monday")), []);
  });

  it("refuses a folder that is not a data directory, and creates no file", async () => {
    const message = await rejected(`${folder}/monday`, ConfigurationError, `${folder}/data`);
    assertStringIncludes(message, `Cannot open the data directory ${folder}/data`);
    assertEquals(namesIn(folder), []);
  });

  it("does not touch a folder .partial with other files", async () => {
    await Deno.mkdir(`${folder}/monday.partial`);
    await Deno.writeTextFile(`${folder}/monday.partial/letter.txt`, "mine");
    assertStringIncludes(
      await rejected(`${folder}/monday`, ArgumentError),
      "it contains letter.txt",
    );
    assertEquals(namesIn(`${folder}/monday.partial`), ["letter.txt"]);
  });

  it("names a damaged or missing file with a remedy, and leaves no files", async () => {
    const copy = `${folder}/data`;
    await backUp(data, copy);
    const model = await findModel(copy);
    const path = `${copy}/files/${model}`;
    const bytes = await Deno.readFile(path);
    bytes[1000] ^= 1;
    await Deno.writeFile(path, bytes);
    assertEquals(
      await rejected(`${folder}/monday`, ConfigurationError, copy),
      `Cannot back up ${path}, the hourly model of E1: it is damaged, because its content does not match the hash in its name. ` +
        `Restore the file from an earlier backup (files/${model}), or import the site "example" again`,
    );
    await Deno.remove(path);
    assertStringIncludes(
      await rejected(`${folder}/monday`, ConfigurationError, copy),
      "cannot be opened",
    );
    assertEquals(namesIn(folder), ["data"]);
    await importFile(await site.siteFile(), copy, { recalibrate: true });
    assertEquals((await backUp(copy, `${folder}/monday`)).files, 2);
  });

  it("names a damaged database, and leaves no files", async () => {
    const copy = `${folder}/data`;
    await backUp(data, copy);
    const bytes = await Deno.readFile(`${copy}/vindkit.sqlite`);
    bytes.fill(0xab, 8192, 20_000);
    await Deno.writeFile(`${copy}/vindkit.sqlite`, bytes);
    assertStringIncludes(
      await rejected(`${folder}/monday`, ConfigurationError, copy),
      `Cannot back up ${copy}/vindkit.sqlite: SQLite could not copy it, or the copy is damaged`,
    );
    assertEquals(namesIn(folder), ["data"]);
  });

  it("changes nothing in the data directory", async () => {
    const before = await hashesBelow(data);
    await backUp(data, `${folder}/monday`);
    assertEquals(await hashesBelow(data), before);
  });
});
