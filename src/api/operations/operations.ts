import { climateDataOperations } from "./climate_data.ts";
import type { Operation, OperationId } from "./operation.ts";
import { tooManyAttempts } from "./operation_errors.ts";
import { reportOperations } from "./reports.ts";
import { userAccessOperations } from "./user_access.ts";
import { windIndexOperations } from "./wind_index.ts";

/** All 14 operations of the API: the table that client, service and documents follow. */
export const operations: readonly Operation[] = [
  ...windIndexOperations,
  ...climateDataOperations,
  ...reportOperations,
  ...userAccessOperations,
].map((operation) => ({ ...operation, errors: [...operation.errors, tooManyAttempts] }));

const byId = new Map(operations.map((operation) => [operation.id, operation]));

/** The operation of that name. */
export function operationOf(id: OperationId): Operation {
  return byId.get(id)!;
}

/** Header that carries the key. */
export const KEY_HEADER = "X-Auth";

/** Version of the interface, as the API text has it. */
export const INTERFACE_VERSION = "1.1";
