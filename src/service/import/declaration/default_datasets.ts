import type { DatasetDefinition } from "./site_definition.ts";

/** The dataset of a climate that is not said to be of one. */
export const DEFAULT_DATASET: DatasetDefinition = {
  serviceId: "climate",
  shortDescription: "Climate data of the site",
};

/** The dataset of climate from its source. */
export const SOURCE_DATASET: DatasetDefinition = {
  serviceId: "era5",
  shortDescription: "ERA5",
  longDescription: "ERA5 hourly data on single levels",
  url: "https://doi.org/10.24381/cds.adbb2d47",
};

/** The line that Copernicus asks for with everything made of ERA5. */
export function buildEra5Attribution(): string {
  return "Contains modified Copernicus Climate Change Service information " +
    `${
      new Date().getUTCFullYear()
    }; neither the European Commission nor ECMWF is responsible for any use of it`;
}
