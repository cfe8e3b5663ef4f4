/**
 * Makes `src/time/windows_zones.ts` from CLDR: `deno run --allow-write=src/time test/time/_windows_zones.ts`.
 *
 * The table is a file and no import: `src/time` runs in a browser, where nothing finds a package.
 *
 * @module
 */
import cldr from "cldr-core/supplemental/windowsZones.json" with { type: "json" };

/** What CLDR calls the world, where a name has one zone: other territories have their own. */
const WORLD = "001";

const { _cldrVersion: version } = cldr.supplemental.version;
const pairs = cldr.supplemental.windowsZones.mapTimezones.map(({ mapZone }) => mapZone)
  .filter(({ _territory }) => _territory === WORLD)
  .map(({ _other, _type }) => [_other, _type]).sort(([a], [b]) => a < b ? -1 : 1);

/** The expected text of the table. */
export const WINDOWS_ZONES_FILE = `// Made by test/time/_windows_zones.ts. Do not edit.

/** IANA zones by the names that Windows gives them: the territory "001" of windowsZones in CLDR ${version}. */
export const windowsZones: ReadonlyMap<string, string> = new Map([
${pairs.map((pair) => `  [${pair.map((text) => JSON.stringify(text)).join(", ")}],`).join("\n")}
]);
`;

if (import.meta.main) await Deno.writeTextFile("src/time/windows_zones.ts", WINDOWS_ZONES_FILE);
