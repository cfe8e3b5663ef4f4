import { ArgumentError } from "../../api/errors.ts";
import { readOptions } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import { operations } from "../../api/operations/operations.ts";
import type { ParameterValues } from "../../api/operations/request_path.ts";
import type { Provenance } from "../../frames/origin/provenance.ts";
import { buildProvenance } from "../answers/read_answer.ts";
import { obtainWhole } from "../cache/obtain.ts";
import { type CallOptions, callOptions } from "../connection/default_connection.ts";

/** An answer as the service sent it. */
export interface RawAnswer {
  /** Its body, decompressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its headers. */
  readonly headers: Headers;
  /** Where the body comes from, with its hash. */
  readonly provenance: Provenance;
}

/**
 * The answer of an operation as the service sent it, for any operation that changes nothing. Use it for answers that
 * the frame functions refuse, or that another program will read.
 *
 * @param operation Name of the operation, as docs/api.md lists them
 * @param parameters Its parameters by their names on the wire
 * @param options Connection and signal, use of the cache
 * @returns The body, its headers and its provenance
 * @throws {ArgumentError} If there is no such operation, it changes something, or a parameter is not valid
 * @throws {NoDataError} If the service has no data for what was asked
 *
 * @example The first line of a table
 * ```ts
 * import { rawAnswer } from "@vindkit/vindkit";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const { bytes } = await rawAnswer("wind_indices", { turbine_id: "T1" });
 * const [header] = new TextDecoder().decode(bytes).split("\n");
 * assertStringIncludes(header, "month_index");
 * ```
 */
export async function rawAnswer(
  operation: OperationId,
  parameters: ParameterValues = {},
  options: CallOptions = {},
): Promise<RawAnswer> {
  readOptions("rawAnswer()", options, callOptions);
  const found = operations.find(({ id }) => id === operation);
  if (!found || found.changes) {
    const names = operations.filter(({ changes }) => !changes).map(({ id }) => id).join(", ");
    throw new ArgumentError(
      `Cannot call rawAnswer(): ${describeValue(operation)} is not one of ${names}` +
        (found ? ". Use placeOrder() or requestApiKey()" : ""),
    );
  }
  const { facts, value } = await obtainWhole(operation, parameters, options, ({ bytes }) => bytes);
  return {
    bytes: value,
    headers: facts.headers,
    provenance: buildProvenance(facts, options),
  };
}
