import type { DatasetDefinition, ReanalysisSource } from "./site_definition.ts";

/** The dataset of climate for which none is declared. */
export const DEFAULT_DATASET: DatasetDefinition = {
  service_id: "climate",
  short_description: "Climate data of the site",
};

/** The dataset of climate from its source: values and terms of two sources differ, so they are two datasets. */
export const SOURCE_DATASETS: Readonly<Record<ReanalysisSource["source"], DatasetDefinition>> = {
  cds: {
    service_id: "era5",
    short_description: "ERA5",
    long_description: "ERA5 hourly data on single levels",
    url: "https://doi.org/10.24381/cds.adbb2d47",
  },
  "open-meteo": {
    service_id: "era5_open_meteo",
    short_description: "ERA5 of Open-Meteo",
    long_description: "ERA5 hourly data on single levels, as Open-Meteo serves them",
    url: "https://open-meteo.com/",
  },
};

/** The line that Copernicus asks for with everything made of ERA5. */
export function buildEra5Attribution(): string {
  return "Contains modified Copernicus Climate Change Service information " +
    `${
      new Date().getUTCFullYear()
    }; neither the European Commission nor ECMWF is responsible for any use of it`;
}
