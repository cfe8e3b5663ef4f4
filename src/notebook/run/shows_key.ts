import type { Output } from "../document/outputs.ts";

/** Variable of the environment with the key, which kernels inherit. */
const VARIABLE = "VINDKIT_KEY";

/** Shorter keys are not looked for: they occur in outputs by chance. */
const MIN_LENGTH = 8;

/**
 * Whether outputs show the key of this environment, as `Deno.env.toObject()` would. Outputs are stored in files that
 * others read.
 */
export function showsKey(outputs: readonly Output[]): boolean {
  const { state } = Deno.permissions.querySync({ name: "env", variable: VARIABLE });
  const key = state === "granted" ? Deno.env.get(VARIABLE) : undefined;
  if (key === undefined || key.length < MIN_LENGTH) return false;
  return JSON.stringify(outputs).includes(JSON.stringify(key).slice(1, -1));
}
