import { ArgumentError } from "../errors.ts";
import type { Operation, OperationId } from "./operation.ts";
import { operationOf } from "./operations.ts";
import { type ParameterValue, problemWith } from "./parameter.ts";

/** Values of an operation's parameters by wire name; `undefined` leaves an optional one out. */
export type ParameterValues = Readonly<Record<string, ParameterValue | undefined>>;

/** Parameters that were sent, by wire name. */
export type SentParameters = Readonly<Record<string, ParameterValue>>;

/** A call of an operation whose parameters are allowed. */
export interface Call {
  readonly operation: Operation;
  /** Its parameters by wire name. */
  readonly parameters: SentParameters;
  /** Path and query below the base address. */
  readonly path: string;
}

/**
 * Checks the parameters of a call.
 *
 * @throws {ArgumentError} If one is missing or not allowed
 */
export function checkCall(id: OperationId, values: ParameterValues): Call {
  const operation = operationOf(id);
  return { operation, parameters: sentParameters(values), path: requestPath(operation, values) };
}

/** The parameters that have a value. */
function sentParameters(values: ParameterValues): SentParameters {
  return Object.fromEntries(
    Object.entries(values).filter((entry): entry is [string, ParameterValue] =>
      entry[1] !== undefined
    ),
  );
}

/**
 * Path and query of a request below the base address.
 *
 * @throws {ArgumentError} If a value is missing or not allowed, before anything is sent
 */
export function requestPath(operation: Operation, values: ParameterValues): string {
  const unknown = Object.keys(values)
    .find((name) => !operation.parameters.some((parameter) => parameter.name === name));
  if (unknown !== undefined) {
    throw new ArgumentError(
      `Cannot call ${operation.id} with "${unknown}": the operation has no parameter with this name. Omit the parameter, or correct its name`,
      { operation: operation.id },
    );
  }
  let path = operation.path;
  const query = new URLSearchParams();
  for (const parameter of operation.parameters) {
    const value = values[parameter.name];
    const problem = value === undefined
      ? (parameter.required ? "it is missing" : null)
      : problemWith(parameter, value);
    if (problem) {
      throw new ArgumentError(
        `Cannot call ${operation.id.replaceAll("_", " ")}: ${parameter.name} ${
          problem.replace(/^it /, "")
        }. Give this parameter a valid value`,
        { operation: operation.id },
      );
    }
    if (value === undefined) continue;
    if (parameter.in === "query") query.set(parameter.name, String(value));
    else path = path.replace(`{${parameter.name}}`, () => encodeURIComponent(value));
  }
  return query.size > 0 ? `${path}?${query}` : path;
}
