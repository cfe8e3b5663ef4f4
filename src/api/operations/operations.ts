import { climateDataOperations } from "./climate_data.ts";
import type { Operation, OperationId } from "./operation.ts";
import type { OfGroup, OperationDeclaration } from "./operation_declaration.ts";
import { invalidArgument, tooManyAttempts } from "./operation_errors.ts";
import { reportOperations } from "./reports.ts";
import { userAccessOperations } from "./user_access.ts";
import { windIndexOperations } from "./wind_index.ts";

const groups: readonly (readonly [OfGroup, Readonly<Record<string, OperationDeclaration>>])[] = [
  [{ group: "wind-index", deprecated: false, key: true }, windIndexOperations],
  [{ group: "climate-data", deprecated: true, key: true }, climateDataOperations],
  [{ group: "reports", deprecated: true, key: true }, reportOperations],
  [{ group: "user-access", deprecated: true, key: false }, userAccessOperations],
];

/** All operations of the API: the table that client, service and documents follow. */
export const operations: readonly Operation[] = groups.flatMap(([ofGroup, table]) =>
  Object.entries(table).map(([id, operation]) => ({
    id: id as OperationId, // a table has no other keys
    ...ofGroup,
    ...operation,
    errors: [...operation.errors, invalidArgument, tooManyAttempts],
  }))
);

const byId = new Map(operations.map((operation) => [operation.id, operation]));

/** The operation of that name. */
export function operationOf(id: OperationId): Operation {
  return byId.get(id)!;
}

/** Header that carries the key. */
export const KEY_HEADER = "X-Auth";

/** Version of the interface in the API text. */
export const INTERFACE_VERSION = "1.1";
