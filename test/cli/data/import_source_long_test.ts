/** `deno task import` of a site with climate from its source: the task may connect only to a stand-in on this machine. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { saveSite } from "../../../src/sites/declaration/save_site.ts";
import { defineSourced, withSource } from "../../sites/_sourced_site.ts";
import { CDS_KEY } from "../../era5/_cds_server.ts";
import { runTaskWith } from "../_task.ts";

describe("import of a site with climate from its source", () => {
  it("fetches missing climate, and says what to do if it cannot", async () => {
    await withSource(async (site, { url, home }, data) => {
      await saveSite(defineSourced(site), site.path("site.json"));
      const run = (variables: Record<string, string>) =>
        runTaskWith(
          { VINDKIT_HOME: home, CDSAPI_RC: site.path("none"), ...variables },
          "import",
          site.path("site.json"),
          "--data",
          `${data}/new`,
        );
      const keyless = await run({ CDSAPI_URL: url, CDSAPI_KEY: "" });
      assertEquals([keyless.code, keyless.out], [1, ""]);
      assertStringIncludes(keyless.error, "its key is missing");
      const elsewhere = await run({ CDSAPI_URL: "https://example.com/api", CDSAPI_KEY: CDS_KEY });
      assertStringIncludes(
        elsewhere.error,
        "has no permission to reach example.com. Run it with --allow-net=example.com",
      );
      assertEquals([...Deno.readDirSync(data)], []);
      const { code, out } = await run({ CDSAPI_URL: url, CDSAPI_KEY: CDS_KEY });
      assertEquals(code, 0);
      assertStringIncludes(out, "example: imported");
      assertStringIncludes(out, "climate era5 17,544 h, 100.0 % complete");
    });
  });
});
