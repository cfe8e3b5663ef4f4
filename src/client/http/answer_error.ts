import { errorOfMeaning, type Meaning, ServiceError, type VindkitError } from "../../api/errors.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { errorOfStatus } from "../../api/operations/operation_errors.ts";
import type { World } from "../../api/world.ts";
import type { Excerpt } from "./excerpt.ts";

/** What to do next, by meaning; the others depend on the operation, see findRemedy(). */
const remedies: Readonly<Partial<Record<Meaning, string>>> = {
  licence_expired:
    "Check VINDKIT_KEY; requestApiKey() issues a new key while the licence is valid, else renew it " +
    "with the provider of the service",
  invalid_user: "Check serial number and e-mail",
  invalid_file_type: "Use zipcsv, csv or zipraw",
  too_many_requests: "Wait, and request less at once",
  invalid_argument: "Correct the argument",
};

/** Whose data a world has, as messages name them. */
const OWNERS: Readonly<Record<World, string>> = {
  sample: "the sample",
  own: "your data",
  live: "the licence",
};

/** What to do if there is no data for a name, a place or a period. */
function findRemedy({ parameters }: Operation, world: World): string {
  const has = (name: string) => parameters.some((parameter) => parameter.name === name);
  if (has("order_id")) return "orders() lists the orders that this computer placed";
  if (has("period")) return "reportMonths() lists the months with a report";
  if (has("lat")) return `datasets() and coverage() list what ${OWNERS[world]} has`;
  if (!has("turbine_id")) return `Check what ${OWNERS[world]} has`;
  return `turbines() lists what ${OWNERS[world]} has, turbineDetails() says which data are ready`;
}

/** The explanation in a body: the `detail` of a problem document or the beginning of a text; empty for a web page. */
function readDetail(headers: Headers, bytes: Uint8Array, excerpt: Excerpt): string {
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
 * Builds the error for an answer without success: the status decides, by the contract of the operation.
 *
 * @param url Address, without secrets
 * @param world World of the service: one in this process has no address to show
 */
export function buildAnswerError(
  operation: Operation,
  answer: { readonly status: number; readonly headers: Headers; readonly start: Uint8Array },
  url: string,
  excerpt: Excerpt,
  world: World,
): VindkitError {
  const { status, headers, start } = answer;
  const facts = { operation: operation.id, status, url };
  const from = world === "live" ? url : OWNERS[world];
  const declared = errorOfStatus(operation, status);
  const detail = readDetail(headers, start, excerpt);
  if (!declared) {
    const suffix = detail ? `: ${detail}` : "";
    return new ServiceError(
      `Cannot get ${
        operation.id.replaceAll("_", " ")
      } from ${from}: the service answered ${status}${suffix}`,
      { ...facts, hint: status < 500 ? "Check the address of the service" : "Try again later" },
    );
  }
  const reason = formatReason(detail, declared.condition, world);
  const hint = reason.endsWith("?")
    ? undefined // the reason ends with a suggestion
    : remedies[declared.meaning] ?? findRemedy(operation, world);
  return new errorOfMeaning[declared.meaning](
    `Cannot get ${operation.id.replaceAll("_", " ")} from ${from}: ${reason}${
      world === "live" ? ` (${status})` : ""
    }`,
    { ...facts, code: declared.meaning, hint },
  );
}

/** The reason of a refusal: the documented condition first for a live service, only the detail in this process. */
function formatReason(detail: string, condition: string, world: World): string {
  if (!detail) return condition;
  const named = detail.startsWith(condition);
  if (world === "live") return named ? detail : `${condition}: ${detail}`;
  return named ? detail.slice(condition.length).replace(/^: /, "") || condition : detail;
}
