import type { z } from "zod";
import { buildEra5Attribution, DEFAULT_DATASET, SOURCE_DATASETS } from "./default_datasets.ts";
import type { siteSchema } from "./site_schema.ts";

type Declared = z.infer<typeof siteSchema>;
type DeclaredDataset = NonNullable<Declared["dataset"]>;
type DeclaredClimate = Declared["climate"];

/** A climate source of a site file: files of a point or of the points of NetCDF4. */
export type ClimateSource = Extract<DeclaredClimate, readonly unknown[]>[number];

/** A dataset of a site file and where its climate comes from. */
export interface SiteReanalysis {
  /** The dataset; without attribution where that of its source is taken. */
  dataset: DeclaredDataset & { attribution: string[] };
  /** Its climate sources; empty where it is fetched when the site is imported. */
  climate: ClimateSource[];
  source?: Exclude<DeclaredClimate, readonly unknown[]>;
  /** How to reach hub height, for wind at one height only. */
  shear?: Declared["shear"];
}

/** Fills in what a reanalysis may leave out, and takes its climate apart: sources in a list, or the service that has it. */
export function completeReanalysis(
  { dataset, climate, shear }: Partial<Declared> & Pick<Declared, "climate">,
): SiteReanalysis {
  const inFiles = Array.isArray(climate);
  const named = dataset ?? {
    ...{ long_description: "", url: "" },
    ...inFiles ? DEFAULT_DATASET : SOURCE_DATASETS[climate.source],
  };
  const attribution = named.attribution ??
    (inFiles && named.service_id === "era5" ? [buildEra5Attribution()] : []);
  return {
    dataset: { ...named, attribution: [...attribution] },
    ...(inFiles ? { climate } : { climate: [], source: climate }),
    ...(shear ? { shear } : {}),
  };
}
