import type { ClimateDataId } from "./climate_data.ts";
import type { OfGroup, OperationDeclaration } from "./operation_declaration.ts";
import type { ReportId } from "./reports.ts";
import type { UserAccessId } from "./user_access.ts";
import type { WindIndexId } from "./wind_index.ts";

/** Names of the operations. */
export type OperationId = WindIndexId | ClimateDataId | ReportId | UserAccessId;

/** One operation of the API. */
export interface Operation extends OfGroup, OperationDeclaration {
  /** Name of the operation, unique. */
  readonly id: OperationId;
}
