import { assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { syncFolder } from "../../src/disk/sync_folder.ts";

describe("syncFolder()", () => {
  it("takes any folder, also an empty one", async () => {
    const folder = await Deno.makeTempDir();
    await syncFolder(folder);
    await Deno.remove(folder);
  });

  it("fails if the folder is missing", async () => {
    await assertRejects(() => syncFolder("/there/is/none"), Deno.errors.NotFound);
  });
});
