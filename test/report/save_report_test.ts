import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../src/api/errors.ts";
import { fleetReport, saveReport } from "../../src/report/mod.ts";
import { fleet, MONTH } from "./_report.ts";

async function withFolder(act: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await act(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function namesIn(folder: string, below = ""): Promise<string[]> {
  const names: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
    const path = below === "" ? name : `${below}/${name}`;
    if (isDirectory) names.push(...await namesIn(folder, path));
    else names.push(path);
  }
  return names.sort();
}

describe("saveReport()", () => {
  it("writes all files, the fleet's page last, and returns their number", () =>
    withFolder(async (folder) => {
      const saved = await saveReport(fleetReport(fleet(2), { month: MONTH }), `${folder}/new`);
      const names = await namesIn(`${folder}/new`);
      assertEquals(names.length, 9);
      assertEquals(saved.files, 9);
      const sizes = names.map((name) => Deno.statSync(`${folder}/new/${name}`).size);
      assertEquals(saved.bytes, sizes.reduce((sum, size) => sum + size, 0));
      const page = Deno.statSync(`${folder}/new/index.html`).mtime!;
      assert(page >= Deno.statSync(`${folder}/new/turbines/W1.html`).mtime!);
    }));

  it("replaces an older report, and leaves other files", () =>
    withFolder(async (folder) => {
      await Deno.writeTextFile(`${folder}/index.html`, "old");
      await Deno.writeTextFile(`${folder}/mine.txt`, "mine");
      await saveReport(fleetReport(fleet(1), { month: MONTH }), folder);
      assert((await Deno.readTextFile(`${folder}/index.html`)).startsWith("<!doctype"));
      assertEquals(await Deno.readTextFile(`${folder}/mine.txt`), "mine");
    }));

  it("leaves no partial file and no fleet page if the report fails", () =>
    withFolder(async (folder) => {
      async function* failing() {
        yield* fleet(1);
        await Promise.resolve();
        throw new Error("the line went dead");
      }
      await assertRejects(
        () => saveReport(fleetReport(failing(), { month: MONTH }), folder),
        Error,
        "the line went dead",
      );
      const names = await namesIn(folder);
      assert(names.every((name) => name.startsWith("turbines/W1.")), String(names));
    }));

  it("writes no further file after its signal is aborted", () =>
    withFolder(async (folder) => {
      const stop = new AbortController();
      function* files() {
        yield { name: "a.txt", content: "a" };
        stop.abort(new Error("enough"));
        yield { name: "b.txt", content: "b" };
      }
      const { signal } = stop;
      await assertRejects(() => saveReport(files(), folder, { signal }), Error, "enough");
      assertEquals(await namesIn(folder), ["a.txt"]);
    }));

  it("says that it cannot write, and leaves no files", () =>
    withFolder(async (folder) => {
      await Deno.mkdir(`${folder}/index.html`);
      const refused = (to: string) =>
        assertRejects(
          () => saveReport([{ name: "index.html", content: "x" }], to),
          Error,
          `Cannot save ${to}/index.html: `,
        );
      await refused(folder);
      assertEquals(await namesIn(folder), []);
      await Deno.writeTextFile(`${folder}/file`, "x");
      await refused(`${folder}/file`);
    }));

  it("F22 writes nothing outside of its folder", () =>
    withFolder(async (folder) => {
      for (const name of ["../x", "/tmp/x", "a/../../x", "a//b", "", ".hidden", "a\\b", "a\0b"]) {
        await assertRejects(
          () => saveReport([{ name, content: "x" }], `${folder}/in`),
          ArgumentError,
          "it is not a path below",
        );
      }
      assertEquals(await namesIn(folder), []);
    }));
});
