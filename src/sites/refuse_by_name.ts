import { ArgumentError } from "../api/errors.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";

/**
 * Reports errors in the data of a turbine under its name.
 *
 * @param compute What may find them
 * @throws {ArgumentError} If it does; the message names the turbine
 */
export function refuseByName<T>({ id }: Pick<Turbine, "id">, compute: () => T): T {
  try {
    return compute();
  } catch (cause) {
    if (!(cause instanceof ArgumentError)) throw cause;
    throw new ArgumentError(`Cannot import ${id}: ${cause.message}`, { cause });
  }
}
