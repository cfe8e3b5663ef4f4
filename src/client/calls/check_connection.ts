import type { DataFrame } from "nodejs-polars";
import {
  LicenceError,
  NetworkError,
  NoDataError,
  TimeoutError,
  VindkitError,
} from "../../api/errors.ts";
import type { Column } from "../../api/columns/column.ts";
import { datasetList, turbineId, turbineList } from "../../api/columns/columns.ts";
import type { OperationId } from "../../api/operations/operation.ts";
import type { World } from "../../api/world.ts";
import { type Card, formatCard, showAsCard } from "../../show/card.ts";
import type { Displayable, JUPYTER_DISPLAY } from "../../show/jupyter.ts";
import {
  type CallOptions,
  callOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { buildProvenance, buildRecordsFrame } from "../answers/read_answer.ts";
import { fetchAnswer } from "../http/fetch_answer.ts";
import { checkCall } from "../../api/operations/request_path.ts";
import { readOptions } from "../../show/options/read_options.ts";

/** Result of `checkConnection()`; it shows itself in notebooks and on the console. */
export interface ConnectionCheck extends Displayable {
  /** Whether the service answers, accepts the key, and has turbines or datasets for it. */
  readonly ok: boolean;
  /** Name of the connection, without the key. */
  readonly connection: string;
  /** Whether the service answers. */
  readonly reachable: boolean;
  /** Whether the key is accepted; `none` where none is needed. */
  readonly key: "accepted" | "refused" | "none" | "not known";
  /** World of the figures, as the service reports it; `undefined` without an answer. */
  readonly world: World | undefined;
  /** Identifiers of the turbines that the key gives access to. */
  readonly turbines: readonly string[];
  /** Identifiers of the datasets that the key gives access to. */
  readonly datasets: readonly string[];
  /** What is wrong and what to do about it; empty if all works. */
  readonly problems: readonly string[];
}

function buildCard(facts: Omit<ConnectionCheck, typeof JUPYTER_DISPLAY>): Card {
  return {
    title: `${facts.connection}: ${facts.ok ? "works" : "does not work"}`,
    rows: [
      { label: "Reachable", value: facts.reachable ? "yes" : "no" },
      { label: "Key", value: facts.key },
      { label: "World", value: facts.world ?? "not known" },
      { label: "Turbines", value: formatNames(facts.turbines) },
      { label: "Datasets", value: formatNames(facts.datasets) },
      ...facts.problems.map((problem) => ({ label: "Problem", value: problem })),
    ],
    synthetic: facts.world === "sample",
  };
}

function showCheck(facts: Omit<ConnectionCheck, typeof JUPYTER_DISPLAY>): ConnectionCheck {
  const text = { value: () => formatCard(buildCard(facts)) };
  const check = Object.defineProperty({ ...facts }, "toString", text);
  return showAsCard(check, () => buildCard(facts)) as ConnectionCheck;
}

const [, serviceId] = datasetList;

/** Names that are listed in a row of the card. */
const MAX_LISTED = 8;

function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  const shown = names.slice(0, MAX_LISTED).join(", ");
  return names.length === 0 ? "none" : `${names.length}: ${shown}${more > 0 ? ", ..." : ""}`;
}

function readIds(frame: DataFrame | VindkitError, { name }: Column): string[] {
  return frame instanceof VindkitError ? [] : frame.getColumn(name).toArray() as string[];
}

/**
 * Checks whether address and key work, and what they give access to. `checkQuality()` looks for faults in a series.
 *
 * It does not throw if address or key fail: the result says what is wrong and what to do.
 *
 * @param options Connection and signal
 *
 * @example
 * ```ts
 * import { checkConnection, connect } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * await using connection = connect({ sample: true });
 * const check = await checkConnection({ connection });
 * console.log(check);
 * assertEquals([check.ok, check.world, check.turbines.length], [true, "sample", 8]);
 * ```
 */
export async function checkConnection(options: CallOptions = {}): Promise<ConnectionCheck> {
  readOptions("checkConnection()", options, callOptions);
  const connection = resolveConnection(options);
  // Fetched from the service, whatever cache and lock have. A licence without turbines or without datasets is no problem
  // by itself.
  const list = async (
    id: OperationId,
    columns: readonly Column[],
  ): Promise<DataFrame | VindkitError> => {
    try {
      const answer = await fetchAnswer(connection, checkCall(id, {}), options);
      world ??= buildProvenance(answer, options).world;
      return buildRecordsFrame(answer, columns);
    } catch (error) {
      if (error instanceof VindkitError) return error;
      throw error;
    }
  };
  let world: World | undefined;
  const found = await list("turbines", turbineList);
  const unreachable = found instanceof NetworkError || found instanceof TimeoutError;
  const sets = unreachable ? found : await list("datasets", datasetList);
  const failures = [...new Set([found, sets])].filter((one) => one instanceof VindkitError);
  const refused = failures.some((failure) => failure instanceof LicenceError);
  const answered = failures.length < 2 || failures.every((one) => one instanceof NoDataError);
  const nothing = failures.length === 2 && answered;
  const problems = failures.filter((failure) => nothing || !(failure instanceof NoDataError));
  return showCheck({
    ok: problems.length === 0,
    connection: connection.toString(),
    reachable: !unreachable,
    key: refused
      ? "refused"
      : unreachable || !answered
      ? "not known"
      : connection.key
      ? "accepted"
      : "none",
    world,
    turbines: readIds(found, turbineId),
    datasets: readIds(sets, serviceId),
    problems: problems.map(({ message }) => message),
  });
}
