import type { SingleHeightShear } from "../../windindex/turbine/hub_conditions.ts";
import type { ClimatePoint } from "../../windindex/climate/climate.ts";
import type { Production } from "../../windindex/calibration/production.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import type { Dataset } from "../store/site_record.ts";

/** Days whose production must not be fitted: a declared outage or curtailment. */
export interface Exclusion {
  /** First day, `2003-01-01`, in the turbine's zone. */
  readonly from: string;
  /** Last day, included. */
  readonly to: string;
  /** Reason, as the site file gives it. */
  readonly reason: string;
}

/** Climate, turbines and production of a site, read and checked, before anything is computed or stored. */
export interface SiteData {
  /** Name of the site. */
  readonly site: string;
  /** Hash of the declaration and of all sources. */
  readonly fingerprint: string;
  /** The dataset its climate belongs to. */
  readonly dataset: Omit<Dataset, "id">;
  /** Climate points. */
  readonly climate: readonly ClimatePoint[];
  /** How to reach hub height where the climate has one height only. */
  readonly shear?: SingleHeightShear;
  /** Turbines with their production, by one unit. */
  readonly turbines: readonly {
    readonly turbine: Turbine;
    readonly production: readonly Production[];
    readonly exclusions: readonly Exclusion[];
    /** How the production was averaged to hours, in sentences. @default none */
    readonly notes?: readonly string[];
  }[];
}
