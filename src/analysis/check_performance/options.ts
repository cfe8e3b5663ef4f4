import type { DataFrame } from "nodejs-polars";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import type { NamedOutage } from "./named_outages.ts";

export type { NamedOutage } from "./named_outages.ts";

/** Source of the expected production of a check. */
export type PerformanceBasis = "predictions" | "production normals";

/** Details of a turbine, as far as a performance check uses them. */
export type TurbineFacts =
  & Pick<TurbineDetails, "power_curve" | "rated_power">
  & Partial<Pick<TurbineDetails, "name" | "time_zone" | "units">>;

/** Options of {@linkcode checkPerformance}. */
export interface CheckPerformanceOptions {
  /**
   * Model data (`time`, `power` and other columns of `modelData()`) or monthly indices (`month`,
   * `predicted_production`) of one turbine. @default none: then `basis` is `"production normals"`
   */
  readonly predicted?: DataFrame;
  /** Source of the expected production: `"production normals"` is for production without predictions. @default {"predictions"} */
  readonly basis?: PerformanceBasis;
  /**
   * Monthly indices of the turbine, for the normal year: with them the step of the wind is computed.
   * @default those of the prediction, or five whole years and more of its model data
   */
  readonly indices?: DataFrame;
  /**
   * Details of the turbine: with the power curve, wind and air density are separated; months and outages are those of
   * its zone; with the rated power, a wrong unit of production without predictions is found.
   * @default none: the zone is that of the model data, or of the production
   */
  readonly details?: TurbineFacts;
  /** Outages by name, for the energy lost in each. @default none: outages are found from status or production */
  readonly outages?: readonly NamedOutage[];
  /** Hourly production of turbines nearby, of the same rated power: with them stops are found from one hour on, and lasting changes against what they gave. @default none */
  readonly neighbours?: readonly DataFrame[];
  /** Number of turbines in the production: prediction and rated power, which are of one, are multiplied by it. @default {1} */
  readonly units?: number;
  /** Frame whose provenance is used where the prediction was derived from it. @default the prediction */
  readonly source?: DataFrame;
}
