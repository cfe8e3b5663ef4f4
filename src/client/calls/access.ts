import type { DataFrame } from "nodejs-polars";
import {
  ArgumentError,
  ConfigurationError,
  DataFormatError,
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
import { buildProvenance, buildRecordsFrame, readJson } from "../answers/read_answer.ts";
import { fetchAnswer } from "../http/fetch_answer.ts";
import { checkCall, type ParameterValues } from "../../api/operations/request_path.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { Secret } from "../connection/settings.ts";
import { describeValue } from "../../api/error_text.ts";
import { operations } from "../../api/operations/operations.ts";
import type { Provenance } from "../../frames/origin/provenance.ts";
import { obtainWhole } from "../cache/obtain.ts";
import { homeFolder } from "../../disk/home.ts";
import { loadService } from "../connection/connection.ts";

/** Result of `checkConnection()`; it shows itself in notebooks and on the console. */
export interface ConnectionCheck extends Displayable {
  /** Whether the service answers, accepts the key, and has turbines or datasets for it. */
  readonly ok: boolean;
  /** Name of the connection, without the key. */
  readonly connection: string;
  /** Whether the service answers. */
  readonly reachable: boolean;
  /** Whether the key is accepted; `none` if no key is needed. */
  readonly key: "accepted" | "refused" | "none" | "not known";
  /** World of the figures, as the service reports it; `undefined` without an answer. */
  readonly world: World | undefined;
  /** Identifiers of the turbines that the key gives access to. */
  readonly turbines: readonly string[];
  /** Identifiers of the datasets that the key gives access to. */
  readonly datasets: readonly string[];
  /** Problems and their remedies; empty if all works. */
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

/** Most names in a row of the card. */
const MAX_LISTED = 8;

function formatNames(names: readonly string[]): string {
  const more = names.length - MAX_LISTED;
  const listed = names.slice(0, MAX_LISTED).join(", ");
  return names.length === 0 ? "none" : `${names.length}: ${listed}${more > 0 ? ", ..." : ""}`;
}

function readIds(frame: DataFrame | VindkitError, { name }: Column): string[] {
  return frame instanceof VindkitError ? [] : frame.getColumn(name).toArray() as string[];
}

/**
 * Checks whether address and key work, and what they give access to. `checkQuality()` looks for faults in a series.
 *
 * It does not throw if address or key fail: the result lists problems and remedies.
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
  // Fetched from the service, whatever cache and lock have. A licence may lack turbines or datasets.
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
  const turbines = await list("turbines", turbineList);
  const unreachable = turbines instanceof NetworkError || turbines instanceof TimeoutError;
  const datasets = unreachable ? turbines : await list("datasets", datasetList);
  const failures = [...new Set([turbines, datasets])].filter((one) => one instanceof VindkitError);
  const refused = failures.some((failure) => failure instanceof LicenceError);
  const answered = failures.length < 2 || failures.every((one) => one instanceof NoDataError);
  const hasNoData = failures.length === 2 && answered;
  const problems = failures.filter((failure) => hasNoData || !(failure instanceof NoDataError));
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
    turbines: readIds(turbines, turbineId),
    datasets: readIds(datasets, serviceId),
    problems: problems.map(({ message }) => message),
  });
}

/** Options of {@linkcode requestApiKey}. */
export interface RequestApiKeyOptions extends CallOptions {
  /** The customer's serial number. */
  serialNumber: string;
  /** The customer's e-mail address. */
  email: string;
}

/** Names under which services are likely to send the key; the API text does not show any. */
const KEY_NAMES = ["api_key", "apiKey", "apikey", "key", "token", "x_auth", "X-Auth"];

const API_KEY_OPTIONS = declareOptions<RequestApiKeyOptions>()(
  "serialNumber! email!",
  {},
  callOptions,
);

/**
 * Asks for an API key; a valid licence is needed.
 *
 * @param options Serial number and e-mail of the licence; connection and signal
 * @returns The key, as a `Secret` that prints as `***`
 * @throws {LicenceError} If serial number and e-mail do not belong to a licence, or it has expired
 * @throws {DataFormatError} If the answer has no key
 * @throws {ConfigurationError} If Deno's OpenTelemetry is on, which would export the address with serial number and e-mail
 *
 * @example The sample issues no key, since it needs none
 * ```ts
 * import { LicenceError, requestApiKey } from "@vindkit/vindkit";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(
 *   () => requestApiKey({ serialNumber: "1", email: "a@example.com" }),
 *   LicenceError,
 * );
 * ```
 */
export async function requestApiKey(options: RequestApiKeyOptions): Promise<Secret> {
  readOptions("requestApiKey()", options, API_KEY_OPTIONS);
  const { serialNumber, email } = options;
  assertNotTraced(options);
  const answer = await fetchAnswer(
    resolveConnection(options),
    checkCall("api_key", { serial_number: serialNumber, email }),
    options,
  );
  const value = readJson(answer);
  const fields = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const texts = fields.filter(([, entry]) => typeof entry === "string") as [string, string][];
  const knownField = texts.find(([name]) => KEY_NAMES.includes(name));
  const keyField = knownField ?? (texts.length === 1 ? texts[0] : undefined);
  if (!keyField || keyField[1].trim() === "") {
    throw new DataFormatError(
      `Cannot find the key in the answer of ${answer.url}: Vindkit cannot tell which of its ${fields.length} fields is the key. It looks for one of the names ${
        KEY_NAMES.slice(0, 3).join(", ")
      }, or for a single text field. Tell the provider of the service`,
    );
  }
  return new Secret(keyField[1]);
}

/** Refuses to run while Deno's OpenTelemetry is on: it exports whole addresses, here with serial number and e-mail. */
function assertNotTraced(options: CallOptions): void {
  if (resolveConnection(options).inProcess) return;
  if ((Deno.env.get("OTEL_DENO") ?? "").toLowerCase() !== "true") return;
  throw new ConfigurationError(
    "Cannot ask for a key: OTEL_DENO is set, so OpenTelemetry would export the request's URL, which contains your serial number and e-mail address",
    {
      operation: "api_key",
      hint: "Make this call once without OTEL_DENO, then store the key in VINDKIT_KEY",
    },
  );
}

/** An answer as the service sent it. */
export interface RawAnswer {
  /** Its body, decompressed. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its headers. */
  readonly headers: Headers;
  /** Origin of the body, with its hash. */
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
 * @throws {NoDataError} If the service has no data for the request
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
  const declared = operations.find(({ id }) => id === operation);
  if (!declared || declared.changes) {
    const names = operations.filter(({ changes }) => !changes).map(({ id }) => id).join(", ");
    throw new ArgumentError(
      `Cannot call rawAnswer(): ${describeValue(operation)} is not one of ${names}` +
        (declared ? ". Use placeOrder() or requestApiKey()" : ". Give one of these operations"),
    );
  }
  const { facts, value } = await obtainWhole(operation, parameters, options, ({ bytes }) => bytes);
  return {
    bytes: value,
    headers: facts.headers,
    provenance: buildProvenance(facts, options),
  };
}

/** Options of {@linkcode exampleFile}. */
export interface ExampleFileOptions {
  /** Folder below which the files are stored. @default VINDKIT_HOME, else `~/.vindkit` */
  home?: string;
}

const EXAMPLE_FILE_OPTIONS = declareOptions<ExampleFileOptions>()("home");

/**
 * Path of one of the sample's own files: SYNTHETIC data in the formats that owners use. The file is written at first
 * use.
 *
 * @param name `site.json` (for an import), `climate.csv`, `production.csv` (hourly, kW), `production_monthly.csv` (MWh)
 * or `power_curve.csv`
 * @param options `home`: the folder below which the files are written, VINDKIT_HOME by default
 * @throws {ArgumentError} If there is no file of that name
 *
 * @example
 * ```ts
 * import { exampleFile, readProduction } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const production = await readProduction(await exampleFile("production_monthly.csv"), {
 *   column: "energy",
 *   time: "month",
 *   resolution: "month",
 *   unit: "MWh",
 * });
 * assertEquals(production.columns, ["month", "energy"]);
 * ```
 */
export async function exampleFile(
  name: string,
  options: ExampleFileOptions = {},
): Promise<string> {
  readOptions("exampleFile()", options, EXAMPLE_FILE_OPTIONS);
  const { EXAMPLE_FILES, SAMPLE_FOLDER, writeExampleFiles } = await loadService();
  if (!(EXAMPLE_FILES as readonly string[]).includes(name)) {
    throw new ArgumentError(
      `Cannot find the example file "${name}": there is no example file with this name. Give one of these names: ${
        EXAMPLE_FILES.join(", ")
      }`,
    );
  }
  const folder = `${options.home ?? homeFolder()}/${SAMPLE_FOLDER}/examples`;
  const complete = await Deno.stat(`${folder}/site.json`).then(() => true, () => false);
  if (!complete) await writeExampleFiles(folder);
  return `${folder}/${name}`;
}
