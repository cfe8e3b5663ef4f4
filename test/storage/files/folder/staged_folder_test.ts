import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { FolderFiles } from "../../../../src/storage/files/folder/folder_files.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function withFolder(
  body: (folder: string, files: FolderFiles) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder, new FolderFiles(folder));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const namesIn = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

describe("StagedFolder", () => {
  it("are not there before they are committed, and have the names that they would have at once", async () => {
    await withFolder(async (folder, files) => {
      await using staged = files.stage();
      const name = await staged.put(bytes("one"), "txt");
      assertEquals((await files.names()).includes(name), false);
      await staged.commit();
      assertEquals(new TextDecoder().decode(await files.read(name)), "one");
      assertEquals(await files.put(bytes("one"), "txt"), name);
      assertEquals(namesIn(folder).filter((own) => own.endsWith(".txt")), [name]);
    });
  });

  it("leave nothing behind where they are not committed", async () => {
    await withFolder(async (folder, files) => {
      {
        await using staged = files.stage();
        await staged.put(bytes("one"), "txt");
        await staged.put(bytes("two"), "txt");
        await staged.put(bytes("one"), "txt");
      }
      assertEquals(namesIn(folder), ["staging.lock"]);
    });
  });

  it("remove what an import that was killed left to the side", async () => {
    await withFolder(async (folder, files) => {
      await Deno.mkdir(`${folder}/staged-of-a-killed-one`);
      await Deno.writeTextFile(`${folder}/staged-of-a-killed-one/0a.txt`, "one");
      await using staged = files.stage();
      await staged.put(bytes("two"), "txt");
      assertEquals(namesIn(folder).includes("staged-of-a-killed-one"), false);
    });
  });

  it("remove it also where the one that was killed had put all files into their places", async () => {
    await withFolder(async (folder, files) => {
      await files.put(bytes("one"), "txt");
      await Deno.mkdir(`${folder}/staged-of-a-killed-one`);
      {
        await using staged = files.stage();
        await staged.put(bytes("one"), "txt");
      }
      assertEquals(namesIn(folder).filter((name) => name.startsWith("staged-")), []);
    });
  });

  it("of an import that is under way stay, until it is through", async () => {
    await withFolder(async (folder, files) => {
      {
        await using first = files.stage();
        const name = await first.put(bytes("one"), "txt");
        await using second = files.stage();
        await second.put(bytes("two"), "txt");
        await first.commit();
        assertEquals((await files.names()).includes(name), true);
        await second.commit();
      }
      assertEquals(namesIn(folder).filter((name) => name.startsWith("staged-")), []);
    });
  });

  it("remove abandoned parts of files, and no others", async () => {
    await withFolder(async (folder, files) => {
      const hour = 3600;
      const now = Date.now() / 1000;
      for (
        const [name, age] of [["a.csv.1.part", 2 * hour], ["b.csv.2.part", 0], [
          "c.csv",
          2 * hour,
        ]] as const
      ) {
        await Deno.writeTextFile(`${folder}/${name}`, "half");
        await Deno.utime(`${folder}/${name}`, now - age, now - age);
      }
      {
        await using staged = files.stage();
        await staged.put(bytes("one"), "txt");
      }
      assertEquals(namesIn(folder), ["b.csv.2.part", "c.csv", "staging.lock"]);
    });
  });

  it("leave nothing but their files and the lock behind where they are", async () => {
    await withFolder(async (folder, files) => {
      const there = await files.put(bytes("there"), "txt");
      {
        await using staged = files.stage();
        assertEquals(await staged.put(bytes("there"), "txt"), there);
        await staged.commit();
      }
      assertEquals(namesIn(folder), [there, "staging.lock"]);
    });
  });
});
