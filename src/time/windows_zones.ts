import cldr from "cldr-core/supplemental/windowsZones.json" with { type: "json" };

/** What CLDR calls the world, where a name has one zone: other territories have their own. */
const WORLD = "001";

/** IANA zones by the names that Windows gives them, such as "Romance Standard Time". */
export const windowsZones: ReadonlyMap<string, string> = new Map(
  cldr.supplemental.windowsZones.mapTimezones.map(({ mapZone }) => mapZone)
    .filter(({ _territory }) => _territory === WORLD)
    .map(({ _other, _type }) => [_other, _type]),
);
