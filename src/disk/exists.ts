import { ignoreMissing } from "./ignore_missing.ts";

/**
 * Whether something has a path.
 *
 * @param path The path; a link counts, wherever it leads
 */
export async function exists(path: string): Promise<boolean> {
  return await ignoreMissing(Deno.lstat(path)) !== undefined;
}
