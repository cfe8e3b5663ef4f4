import { ConfigurationError, DataFormatError } from "../../api/errors.ts";
import { fetchAnswer } from "../http/fetch_answer.ts";
import {
  type CallOptions,
  callOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { readJson } from "../answers/read_answer.ts";
import { Secret } from "../connection/settings.ts";
import { checkCall } from "../../api/operations/request_path.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/** Options of {@linkcode requestApiKey}. */
export interface RequestApiKeyOptions extends CallOptions {
  /** The customer's serial number. */
  serialNumber: string;
  /** The customer's e-mail address. */
  email: string;
}

/** Names under which services are likely to send the key; the API text does not show any. */
const KEY_NAMES = ["api_key", "apiKey", "apikey", "key", "token", "x_auth", "X-Auth"];

const OPTIONS = declareOptions<RequestApiKeyOptions>()("serialNumber! email!", {}, callOptions);

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
  readOptions("requestApiKey()", options, OPTIONS);
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
  const named = texts.find(([name]) => KEY_NAMES.includes(name));
  const found = named ?? (texts.length === 1 ? texts[0] : undefined);
  if (!found || found[1].trim() === "") {
    throw new DataFormatError(
      `Cannot find the key in the answer of ${answer.url}: it has ${fields.length} fields, none of ` +
        `which is ${KEY_NAMES.slice(0, 3).join(", ")} or the only text`,
    );
  }
  return new Secret(found[1]);
}

/** Refuses to run while Deno's OpenTelemetry is on: it exports whole addresses, here with serial number and e-mail. */
function assertNotTraced(options: CallOptions): void {
  if (resolveConnection(options).inProcess) return;
  if ((Deno.env.get("OTEL_DENO") ?? "").toLowerCase() !== "true") return;
  throw new ConfigurationError(
    "Cannot ask for a key: OTEL_DENO is set, and OpenTelemetry would export the address, which contains " +
      "serial number and e-mail",
    {
      operation: "api_key",
      hint: "Call it once without OTEL_DENO, then store the key in VINDKIT_KEY",
    },
  );
}
