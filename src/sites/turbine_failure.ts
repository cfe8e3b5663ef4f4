import { ArgumentError, DataFormatError } from "../api/errors.ts";
import { formatCount, listNames } from "../show/text/numbers.ts";

/** Why a turbine was not imported, while the others of its site were. */
export interface TurbineFailure {
  /** Identifier of the turbine. */
  readonly id: string;
  /** What is wrong with its data, what to do, and what is stored of it. */
  readonly message: string;
}

/**
 * Turns an error in the data of a turbine into its failure.
 *
 * @throws The error itself, if it is not about data
 */
export function toFailure(id: string, error: unknown): TurbineFailure {
  if (!(error instanceof ArgumentError || error instanceof DataFormatError)) throw error;
  return { id, message: error.message };
}

/** Whether a turbine failed. */
export function hasFailed(one: object): one is TurbineFailure {
  return "message" in one;
}

/** Formats failures, a line for all turbines with the same message. */
export function formatFailures(failures: readonly TurbineFailure[]): string[] {
  return [...Map.groupBy(failures, ({ message }) => message)].map(([message, all]) =>
    `  ${listNames(all.map(({ id }) => id))}: ${message}`
  );
}

/** Describes an import without some turbines, as the message of a command has it. */
export function describePartial(
  { site, failures }: { readonly site: string; readonly failures: readonly TurbineFailure[] },
): string {
  return `Cannot import all of ${site}: ${formatCount(failures.length, "turbine")} failed\n` +
    formatFailures(failures).join("\n");
}

/**
 * Refuses a site of which no turbine can be imported.
 *
 * @throws {ArgumentError} Always; the message has all failures
 */
export function refuseAll(site: string, failures: readonly TurbineFailure[]): never {
  const [{ id, message }] = failures;
  throw new ArgumentError(
    failures.length === 1
      ? `Cannot import ${id}: ${message}`
      : `Cannot import ${site}: each of its ${failures.length} turbines fails\n` +
        formatFailures(failures).join("\n"),
  );
}
