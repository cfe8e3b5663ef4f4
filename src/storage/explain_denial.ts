import { ConfigurationError } from "../api/errors.ts";

/** Whether a permission is missing. */
function isDenied(error: unknown): boolean {
  return error instanceof Error &&
    (error instanceof Deno.errors.NotCapable || isDenied(error.cause));
}

/**
 * The error of something that could not be opened: where a permission is missing, one that says who has it.
 *
 * @param shown What was opened, without a secret
 */
export function explainDenial(error: unknown, shown: string): unknown {
  if (!isDenied(error)) return error;
  return new ConfigurationError(`Cannot open ${shown}: this program has no permission for it`, {
    hint:
      "In a checkout run the same as: deno task shared COMMAND. Else allow what docs/security.md lists for it",
    cause: error,
  });
}
