import type { Era5Source } from "./source_link.ts";

/**
 * Lists what must be said of the data: both ask for credit, Copernicus also that changes are named.
 *
 * @param fetchedAt When the data were received, ISO 8601 UTC
 */
export function listAttributions(source: Era5Source, fetchedAt: string): string[] {
  const [year, day] = [fetchedAt.slice(0, 4), fetchedAt.slice(0, 10)];
  return [
    `Contains modified Copernicus Climate Change Service information ${year}: ERA5 hourly data on ` +
    `single levels, doi 10.24381/cds.adbb2d47, received ${day}, CC BY 4.0. Neither the European ` +
    "Commission nor ECMWF is responsible for any use of it",
    ...(source === "open-meteo" ? ["Weather data by Open-Meteo.com, CC BY 4.0"] : []),
  ];
}
