import type { Operation, OperationId } from "./operation.ts";

/** The operations of a group by their names, in order: one for each name of the type and no other. */
export type OperationTable<Id extends OperationId> = {
  readonly [Name in Id]: Omit<Operation, "id">;
};

/** The operations of a table as a list. */
export function listOperations<Id extends OperationId>(
  table: OperationTable<Id>,
): readonly Operation[] {
  const ids = Object.keys(table) as Id[]; // a table has no other keys
  return ids.map((id) => ({ id, ...table[id] }));
}
