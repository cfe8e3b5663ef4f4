import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findNews } from "../../../src/cli/update/turbine_news.ts";
import { readStates } from "../../../src/cli/update/turbine_state.ts";
import { openDataDirectory } from "../../../src/service/data_directory.ts";
import { importFile, rowsBetween, wholeExample, withSite } from "../../service/import/_site.ts";

describe("what an update reports", () => {
  it("is what there was when it looked, where another import stores a site or removes a turbine meanwhile", async () => {
    await withSite(async (site, data) => {
      const whole = (await wholeExample())["climate.csv"];
      const importUntil = async (stamp: string) => {
        const climate = rowsBetween(whole, "2022-12-31T00", stamp);
        await Deno.writeTextFile(site.path("climate.csv"), climate);
        await importFile(await site.siteFile(), data);
      };
      await importUntil("2024-06-01T01");
      const { store } = openDataDirectory(data);
      const { turbineIds } = store.sites;
      store.sites.turbineIds = async () => ["E0", ...await turbineIds.call(store.sites)];
      const states = await readStates(store.sites);
      assertEquals(Object.keys(states), ["E1"]);
      await importUntil("2024-07-01T01");
      const monthsOf = async (before: typeof states, after: typeof states) =>
        (await findNews(store.sites, "E1", before.E1, after.E1))!.added.map(({ month }) => month);
      const first = await monthsOf({}, states);
      assertEquals([first.length, first.at(-1)], [17, "2024-05"]);
      assert(!first.includes("2024-06"));
      assertEquals(await monthsOf(states, await readStates(store.sites)), ["2024-06"]);
      await store.close();
    });
  });
});
