import { climateDataOperations } from "./climate_data.ts";
import type { Operation, OperationId } from "./operation.ts";
import type { OperationTable } from "./operation_declaration.ts";
import { invalidArgument, tooManyAttempts } from "./operation_errors.ts";
import { reportOperations } from "./reports.ts";
import { userAccessOperations } from "./user_access.ts";
import { windIndexOperations } from "./wind_index.ts";

const table: OperationTable<OperationId> = {
  ...windIndexOperations,
  ...climateDataOperations,
  ...reportOperations,
  ...userAccessOperations,
};

const ids = Object.keys(table) as OperationId[]; // a table has no other keys

/** All operations of the API: the table that client, service and documents follow. */
export const operations: readonly Operation[] = ids.map((id) => ({
  id,
  ...table[id],
  errors: [...table[id].errors, invalidArgument, tooManyAttempts],
}));

const byId = new Map(operations.map((operation) => [operation.id, operation]));

/** The operation of that name. */
export function operationOf(id: OperationId): Operation {
  return byId.get(id)!;
}

/** Header that carries the key. */
export const KEY_HEADER = "X-Auth";

/** Version of the interface, as the API text has it. */
export const INTERFACE_VERSION = "1.1";
