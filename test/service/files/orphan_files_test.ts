import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { openFiles } from "../../../src/service/files/open_files.ts";
import { FolderFiles } from "../../../src/service/files/folder/folder_files.ts";
import { removeOrphanFiles } from "../../../src/service/files/orphan_files.ts";
import { describeWithS3 } from "../../_s3.ts";
import { withOrderData } from "../fulfilment/_order_data.ts";
import { testOrphans } from "./_orphans_suite.ts";

describe("orphan files in a folder", () => {
  testOrphans(async () => {
    const folder = await Deno.makeTempDir();
    const files = new FolderFiles(folder);
    return {
      files,
      at: (name) => files.path(name),
      [Symbol.asyncDispose]: async () => await Deno.remove(folder, { recursive: true }),
    };
  });

  it("are not looked for where nothing was ever put", async () => {
    await withOrderData(async ({ store, files, folder }) => {
      await Deno.remove(`${folder}/files`, { recursive: true });
      assertEquals(await removeOrphanFiles(store, files), []);
    });
  });
});

describeWithS3("orphan files in an object store", (server) => {
  let prefixes = 0;

  testOrphans(async () => {
    const prefix = `orphans-${prefixes++}`;
    const { address, environment, folder } = server();
    const files = await openFiles(`${address}/${prefix}`, (name) => environment[name]);
    return {
      files,
      at: (name) => `${folder}/${prefix}/${name}`,
      [Symbol.asyncDispose]: () => Promise.resolve(files.close()),
    };
  });
});
