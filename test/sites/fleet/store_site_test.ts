import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { removeOrphanFiles } from "../../../src/sites/keep/named_files.ts";
import { storeSite } from "../../../src/sites/fleet/store_site.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { buildGridSite, buildProduction, changeTurbine, importData } from "../_grid_site.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

it("a replaced model stays for a day, even if files are removed right after its rows", async () => {
  const folder = await Deno.makeTempDir();
  const data = buildGridSite();
  await importData(data, folder);
  await using storage = await openStorage(folder);
  const { store, files } = storage;
  const modelOf = async (id: string) => (await sitesOf(store).turbine(id))!.modelFile!;
  const [replaced, kept] = [await modelOf("T1"), await modelOf("T4")];
  for (const name of [replaced, kept]) await Deno.utime(files.path(name), 0, 0);
  // Another process removes files right after this one has stored its rows.
  const removed: string[] = [];
  const during = new Proxy(store, {
    get(target, name) {
      if (name !== "transaction") {
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async (body: Parameters<typeof target.transaction>[0]) => {
        const result = await target.transaction(body);
        removed.push(...await removeOrphanFiles(target, files));
        return result;
      };
    },
  });
  const production = [buildProduction("other")];
  const other = changeTurbine({ ...data, fingerprint: "other" }, "T1", () => ({ production }));
  await storeSite(other, { store: during, files });
  assert(await modelOf("T1") !== replaced);
  assertEquals(removed, []);
  assert(await files.find(replaced));
  assert(Deno.statSync(files.path(kept)).mtime! < new Date(1000)); // it stays named, so its time is not renewed
  await Deno.remove(folder, { recursive: true });
});
