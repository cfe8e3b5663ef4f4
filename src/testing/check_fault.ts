import { ArgumentError } from "../api/errors.ts";
import type { Fault, FaultAct } from "./fault.ts";
import { requestKinds } from "./request_kind.ts";

function within(value: unknown, lowest: number, highest: number): boolean {
  return typeof value === "number" && value >= lowest && value <= highest;
}

function problemWithStatus(status: unknown, lowest: number): string | undefined {
  return Number.isInteger(status) && within(status, lowest, 599)
    ? undefined
    : `status is ${status}, not a whole number from ${lowest} to 599`;
}

function problemWithHeaders(headers: Record<string, string>): string | undefined {
  try {
    new Headers(headers);
  } catch {
    return "its headers are such as no answer can carry";
  }
}

function oneOf(name: string, value: string, allowed: readonly string[]): string | undefined {
  return allowed.includes(value)
    ? undefined
    : `${name} is "${value}", not one of ${allowed.join(", ")}`;
}

function problemWithAct(act: FaultAct): string | undefined {
  switch (act.kind) {
    case "reset":
    case "lose_answer":
      return undefined;
    case "stall":
      return oneOf("where", act.where, ["headers", "body"]);
    case "cut":
      return act.at === undefined || within(act.at, 0, 1)
        ? oneOf("framing", act.framing, ["close", "length", "chunked", "gzip"])
        : `at is ${act.at}, not a share from 0 to 1`;
    case "status":
      return problemWithStatus(act.status, 200) ?? problemWithHeaders(act.headers ?? {});
    case "redirect":
      return (act.status ?? 302) > 399
        ? `status is ${act.status}, which does not lead elsewhere`
        : problemWithStatus(act.status ?? 302, 300) ?? problemWithHeaders({ location: act.to });
    case "body":
      return (act.status === undefined ? undefined : problemWithStatus(act.status, 200)) ??
        problemWithHeaders(act.headers ?? {});
    case "slow":
      return within(act.milliseconds, 0, 2 ** 31 - 1)
        ? undefined
        : `milliseconds is ${act.milliseconds}`;
    case "trickle":
      if (!Number.isInteger(act.bytes) || act.bytes < 1) return `bytes is ${act.bytes}`;
      return within(act.milliseconds, 0, 2 ** 31 - 1)
        ? undefined
        : `milliseconds is ${act.milliseconds}`;
    case "range":
      return oneOf("how", act.how, [
        "ignore",
        "wrong_offset",
        "changed",
        "unsatisfiable",
        "unasked",
      ]);
    default:
      return `there is no act "${(act as { kind: unknown }).kind}"`;
  }
}

/**
 * Checks a fault before it waits for requests.
 *
 * @throws {ArgumentError} If it can hit nothing, or what it does cannot be done
 */
export function checkFault({ on, after = 0, times = 1, act }: Fault): void {
  const problem = on !== undefined && !requestKinds.includes(on)
    ? `no request is a "${on}". Name one of ${requestKinds.join(", ")}`
    : !Number.isInteger(after) || after < 0
    ? `after is ${after}, not a whole number from 0`
    : times !== Infinity && (!Number.isInteger(times) || times < 1)
    ? `times is ${times}, not a whole number from 1 or Infinity`
    : problemWithAct(act);
  if (problem) throw new ArgumentError(`Cannot inject the fault: ${problem}`);
}
