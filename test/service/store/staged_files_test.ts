import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Files } from "../../../src/service/store/files.ts";
import { StagedFiles } from "../../../src/service/store/staged_files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function withFolder(body: (folder: string, files: Files) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder, new Files(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

describe("StagedFiles", () => {
  it("are not there before they are committed, and have the names that they would have at once", async () => {
    await withFolder(async (folder, files) => {
      await using staged = new StagedFiles(files);
      const name = await staged.put(bytes("one"), "txt");
      assertEquals(await files.has(name), false);
      await staged.commit();
      assertEquals(new TextDecoder().decode(await files.read(name)), "one");
      assertEquals(await files.put(bytes("one"), "txt"), name);
      assertEquals(namesIn(folder).filter((own) => !own.startsWith("staged-")), [name]);
    });
  });

  it("leave nothing behind where they are not committed", async () => {
    await withFolder(async (folder, files) => {
      {
        await using staged = new StagedFiles(files);
        await staged.put(bytes("one"), "txt");
        await staged.put(bytes("two"), "txt");
        await staged.put(bytes("one"), "txt");
      }
      assertEquals(namesIn(folder), []);
    });
  });

  it("leave nothing but their files behind where they are, nor anything where none was put", async () => {
    await withFolder(async (folder, files) => {
      const there = await files.put(bytes("there"), "txt");
      {
        await using staged = new StagedFiles(files);
        assertEquals(await staged.put(bytes("there"), "txt"), there);
        await staged.commit();
      }
      assertEquals(namesIn(folder), [there]);
    });
  });
});
