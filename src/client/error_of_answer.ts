import { errorOfMeaning, type Meaning, ServiceError, type VindkitError } from "../api/errors.ts";
import type { Operation } from "../api/operation.ts";
import type { Exchange } from "./exchange.ts";

/** What to do next, by meaning. */
const remedies: Readonly<Record<Meaning, string>> = {
  no_data: "Check identifier and period, and whether the turbine is data_ready",
  no_access: "Check the identifier; turbines() and datasets() list what the licence covers",
  licence_expired:
    "Check VINDKIT_KEY; requestApiKey() issues a new key while the licence is valid, else renew it",
  invalid_user: "Check serial number and e-mail",
  not_found: "Check the identifier; lists such as turbines() and reportMonths() show what there is",
  invalid_file_type: "Use zipcsv, csv or zipraw",
  too_many_requests: "Wait until other downloads are done",
  invalid_argument: "Mend the argument",
};

const MAX_DETAIL = 200;

/** What the body says, short: the `detail` of a problem, else the beginning of a text that is no page. */
function detailOf({ headers, bytes }: Exchange): string {
  const text = new TextDecoder().decode(bytes.subarray(0, 4096));
  if (/json/.test(headers.get("content-type") ?? "")) {
    try {
      const value = JSON.parse(text) as { detail?: unknown } | null;
      if (typeof value?.detail === "string") return value.detail.slice(0, MAX_DETAIL);
    } catch {
      return ""; // the status decides, never the body
    }
    return "";
  }
  const plain = text.trim();
  return plain.startsWith("<") ? "" : plain.slice(0, MAX_DETAIL);
}

/**
 * The error that an answer stands for: the status decides, by the contract of the operation.
 *
 * @param operation The operation called
 * @param answer The answer
 * @param url Address, without secrets
 */
export function errorOfAnswer(operation: Operation, answer: Exchange, url: string): VindkitError {
  const { status } = answer;
  const facts = { operation: operation.id, status, url };
  const declared = operation.errors.find((error) => error.status === status);
  const detail = detailOf(answer);
  if (!declared) {
    const said = detail ? `: ${detail}` : "";
    return new ServiceError(
      `Cannot get ${operation.id} from ${url}: the service answered ${status}${said}. Try again later`,
      facts,
    );
  }
  const said = detail.startsWith(declared.condition) || !detail
    ? detail || declared.condition
    : `${declared.condition}: ${detail}`;
  return new errorOfMeaning[declared.meaning](
    `Cannot get ${operation.id} from ${url}: ${said} (${status}). ${remedies[declared.meaning]}`,
    facts,
  );
}
