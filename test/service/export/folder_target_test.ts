import { assertEquals, assertThrows } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { FolderTarget } from "../../../src/service/export/folder_target.ts";
import { openTarget } from "../../../src/service/export/open_target.ts";

describe("FolderTarget", () => {
  let folder: string;
  let target: FolderTarget;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    target = new FolderTarget(`${folder}/lake/`);
  });
  afterEach(async () => await Deno.remove(folder, { recursive: true }));

  const bytes = (text: string) => new TextEncoder().encode(text);

  it("reads what was written last, and lists it with its size", async () => {
    await target.write("hours/year=2021/a", bytes("old"));
    await target.write("hours/year=2021/a", bytes("newer"));
    await target.write("hours.json", bytes("{}"));
    assertEquals(await target.read("hours/year=2021/a"), bytes("newer"));
    assertEquals(await target.list("hours"), new Map([["hours/year=2021/a", 5]]));
    assertEquals(target.address, `${folder}/lake`);
  });

  it("knows what is missing, and removes it without an error", async () => {
    assertEquals(await target.read("hours.json"), undefined);
    assertEquals(await target.list("hours"), new Map());
    await target.remove("hours.json");
    await target.write("hours/a", bytes("1"));
    await target.remove("hours/a");
    assertEquals(await target.list("hours"), new Map());
  });

  it("lets other users read the files, as far as the folder does", async () => {
    await target.write("hours/a", bytes("1"));
    await Deno.writeFile(`${folder}/open`, bytes("1"), { mode: 0o644 }); // what the umask leaves
    const modes = ["lake/hours/a", "open"].map((name) => Deno.statSync(`${folder}/${name}`).mode);
    assertEquals(modes[0], modes[1]);
  });
});

describe("openTarget", () => {
  it("takes a path for a folder and refuses other addresses, without their secrets", () => {
    assertEquals(openTarget("/lake/").address, "/lake");
    assertEquals(openTarget("/").address, "/");
    const error = assertThrows(() => openTarget("s3://me:secret@bucket/lake"), ArgumentError);
    assertEquals(
      error.message,
      "Cannot export to an address that begins with s3://: only a folder can be written. " +
        "Name a folder, and copy it from there",
    );
  });
});
