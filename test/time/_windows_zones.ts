/**
 * Makes `src/time/windows_zones.json` from CLDR: `deno run --allow-write=src/time test/time/_windows_zones.ts`.
 *
 * The table is a file and not an import, because `src/time` runs in a browser without packages.
 *
 * @module
 */
import cldr from "cldr-core/supplemental/windowsZones.json" with { type: "json" };

/** CLDR's name for the world, in which a name has only one zone; other territories have their own. */
const WORLD = "001";

const pairs = cldr.supplemental.windowsZones.mapTimezones.map(({ mapZone }) => mapZone)
  .filter(({ _territory }) => _territory === WORLD)
  .map(({ _other, _type }) => [_other, _type]).sort(([a], [b]) => a < b ? -1 : 1);

/** The expected text of the table. */
export const WINDOWS_ZONES_FILE = JSON.stringify(Object.fromEntries(pairs), null, 2) + "\n";

if (import.meta.main) await Deno.writeTextFile("src/time/windows_zones.json", WINDOWS_ZONES_FILE);
