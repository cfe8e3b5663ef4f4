import { errorOfMeaning, type Meaning, ServiceError, type VindkitError } from "../../api/errors.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { errorOfStatus } from "../../api/operations/operation_errors.ts";
import type { Excerpt } from "./excerpt.ts";

/** What to do next, by meaning. */
const remedies: Readonly<Record<Meaning, string>> = {
  no_data: "Check identifier, place and period; of a turbine also whether it is data_ready",
  no_access: "Check the identifier; turbines() and datasets() list what the licence covers",
  licence_expired:
    "Check VINDKIT_KEY; requestApiKey() issues a new key while the licence is valid, else renew it " +
    "with the provider of the service",
  invalid_user: "Check serial number and e-mail",
  not_found: "Check the identifier; lists such as turbines() and reportMonths() show what there is",
  invalid_file_type: "Use zipcsv, csv or zipraw",
  too_many_requests: "Wait, and ask for less at once",
  invalid_argument: "Mend the argument",
};

/** What the body says, short: the `detail` of a problem, else the beginning of a text that is no page. */
function detailOf(headers: Headers, bytes: Uint8Array, excerpt: Excerpt): string {
  if (/json/.test(headers.get("content-type") ?? "")) {
    try {
      const value = JSON.parse(new TextDecoder().decode(bytes)) as { detail?: unknown } | null;
      if (typeof value?.detail === "string") return excerpt(new TextEncoder().encode(value.detail));
    } catch {
      return ""; // the status decides, never the body
    }
    return "";
  }
  const plain = excerpt(bytes);
  return plain.startsWith("<") ? "" : plain;
}

/**
 * The error that an answer stands for: the status decides, by the contract of the operation.
 *
 * @param operation The operation called
 * @param answer Status, headers and the beginning of the body
 * @param url Address, without secrets
 * @param excerpt Quotes the body without secrets
 */
export function errorOfAnswer(
  operation: Operation,
  answer: { readonly status: number; readonly headers: Headers; readonly start: Uint8Array },
  url: string,
  excerpt: Excerpt,
): VindkitError {
  const { status, headers, start } = answer;
  const facts = { operation: operation.id, status, url };
  const declared = errorOfStatus(operation, status);
  const detail = detailOf(headers, start, excerpt);
  if (!declared) {
    const said = detail ? `: ${detail}` : "";
    return new ServiceError(
      `Cannot get ${operation.id} from ${url}: the service answered ${status}${said}`,
      { ...facts, hint: status < 500 ? "Check the address of the service" : "Try again later" },
    );
  }
  const said = detail.startsWith(declared.condition) || !detail
    ? detail || declared.condition
    : `${declared.condition}: ${detail}`;
  return new errorOfMeaning[declared.meaning](
    `Cannot get ${operation.id} from ${url}: ${said} (${status})`,
    { ...facts, hint: remedies[declared.meaning] },
  );
}
