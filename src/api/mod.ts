/**
 * The contract, for the scripts that write its docs.
 *
 * @module
 */
export { type Column, type Tag, wireName } from "./columns/column.ts";
export type { Operation } from "./operations/operation.ts";
export type { Success } from "./operations/operation_declaration.ts";
export { serviceStatuses } from "./operations/operation_errors.ts";
export { INTERFACE_VERSION, KEY_HEADER, operations } from "./operations/operations.ts";
export type { Parameter } from "./operations/parameter.ts";
export { TAG_KEYWORD } from "./resources/resources.ts";
