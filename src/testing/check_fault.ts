import { ArgumentError } from "../api/errors.ts";
import type { Fault, FaultAct } from "./fault.ts";
import { requestKinds } from "./exchange.ts";

/** Longest pause of a timer, ms. */
const MAX_PAUSE = 2 ** 31 - 1;

function isWithin(value: unknown, lowest: number, highest: number): boolean {
  return typeof value === "number" && value >= lowest && value <= highest;
}

function findStatusProblem(status: unknown, lowest: number): string | undefined {
  return Number.isInteger(status) && isWithin(status, lowest, 599)
    ? undefined
    : `status is ${status}, not a whole number from ${lowest} to 599`;
}

function findHeadersProblem(headers: Record<string, string>): string | undefined {
  try {
    new Headers(headers);
  } catch {
    return "its headers are not valid in HTTP";
  }
}

function findChoiceProblem(
  name: string,
  value: string,
  allowed: readonly string[],
): string | undefined {
  return allowed.includes(value)
    ? undefined
    : `${name} is "${value}", not one of ${allowed.join(", ")}`;
}

function findActProblem(act: FaultAct): string | undefined {
  switch (act.kind) {
    case "reset":
    case "lose_answer":
      return undefined;
    case "stall":
      return findChoiceProblem("where", act.where, ["headers", "body"]);
    case "cut":
      return act.at === undefined || isWithin(act.at, 0, 1)
        ? findChoiceProblem("framing", act.framing, ["close", "length", "chunked", "gzip"])
        : `at is ${act.at}, not a share from 0 to 1`;
    case "status":
      return findStatusProblem(act.status, 200) ?? findHeadersProblem(act.headers ?? {});
    case "redirect":
      return (act.status ?? 302) > 399
        ? `status is ${act.status}, not a status of a redirect, 300 to 399`
        : findStatusProblem(act.status ?? 302, 300) ?? findHeadersProblem({ location: act.to });
    case "body":
      return (act.status === undefined ? undefined : findStatusProblem(act.status, 200)) ??
        findHeadersProblem(act.headers ?? {});
    case "slow":
      return isWithin(act.milliseconds, 0, MAX_PAUSE)
        ? undefined
        : `milliseconds is ${act.milliseconds}, not a number from 0 to ${MAX_PAUSE}`;
    case "trickle":
      if (!Number.isInteger(act.bytes) || act.bytes < 1) {
        return `bytes is ${act.bytes}, not a whole number from 1`;
      }
      return isWithin(act.milliseconds, 0, MAX_PAUSE)
        ? undefined
        : `milliseconds is ${act.milliseconds}, not a number from 0 to ${MAX_PAUSE}`;
    case "range":
      return findChoiceProblem("how", act.how, [
        "ignore",
        "wrong_offset",
        "changed",
        "unsatisfiable",
        "unasked",
      ]);
    default:
      return `unknown act "${(act as { kind: unknown }).kind}"`;
  }
}

/**
 * Checks a fault before it waits for requests.
 *
 * @throws {ArgumentError} If no request can match it, or its act is not valid
 */
export function checkFault({ on, after = 0, times = 1, act }: Fault): void {
  const problem = on !== undefined && !requestKinds.includes(on)
    ? `unknown kind of request "${on}". Give one of ${requestKinds.join(", ")}`
    : !Number.isInteger(after) || after < 0
    ? `after is ${after}, not a whole number from 0`
    : times !== Infinity && (!Number.isInteger(times) || times < 1)
    ? `times is ${times}, not a whole number from 1 or Infinity`
    : findActProblem(act);
  if (problem) throw new ArgumentError(`Cannot inject the fault: ${problem}`);
}
