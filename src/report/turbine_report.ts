import type { DataFrame } from "nodejs-polars";
import type { TurbineDetailsResource } from "../api/resources.ts";

/** What a report says about one turbine. */
export interface TurbineReport {
  /** Details, as `turbineDetails()` gives them. */
  readonly details: TurbineDetailsResource;
  /** Monthly indices, as `monthlyIndices()` gives them; rows of other turbines are left out. */
  readonly indices: DataFrame;
  /** Produced against predicted energy, as `actualAgainstPredicted()` gives it. @default none */
  readonly comparison?: DataFrame;
}
