import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { resolveTimeZone } from "../../src/time/zones.ts";
import { WINDOWS_ZONES_FILE } from "./_windows_zones.ts";

describe("the Windows names of zones", () => {
  it("match the CLDR release that deno.json pins", async () => {
    const file = new URL("../../src/time/windows_zones.json", import.meta.url);
    assertEquals(await Deno.readTextFile(file), WINDOWS_ZONES_FILE);
  });

  it("name the zone of the place that Windows means", () => {
    assertEquals(resolveTimeZone("Romance Standard Time"), "Europe/Paris");
    assertEquals(resolveTimeZone("Mountain Standard Time (Mexico)"), "America/Mazatlan");
    assertEquals(resolveTimeZone("UTC"), "UTC");
  });
});
