import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { describeTurbines } from "../../../src/cli/update/update_report.ts";
import { findTurbineNews } from "../../../src/cli/update/news.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { importFile, rowsBetween, wholeExample, withSite } from "../../sites/_site.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

describe("findTurbineNews()", () => {
  it("finds the state at the time of reading, even if an import runs meanwhile", async () => {
    await withSite(async (site, data) => {
      const climateFile = (await wholeExample())["climate.csv"];
      const importUntil = async (stamp: string) => {
        const climate = rowsBetween(climateFile, "2022-12-31T00", stamp);
        await Deno.writeTextFile(site.path("climate.csv"), climate);
        await importFile(await site.siteFile(), data);
        const { store } = await openStorage(data);
        const turbine = (await sitesOf(store).turbine("E1"))!;
        await store.close();
        return turbine;
      };
      const before = await importUntil("2024-06-01T01");
      const after = await importUntil("2024-07-01T01");
      const { store } = await openStorage(data);
      const first = await findTurbineNews(sitesOf(store), before, undefined);
      assertEquals(first?.months.at(-1)?.month, "2024-05");
      const reported = describeTurbines([before]).get("E1");
      const next = await findTurbineNews(sitesOf(store), after, reported);
      assertEquals(next?.months.map(({ month }) => month), ["2024-06"]);
      await store.close();
    });
  });
});
