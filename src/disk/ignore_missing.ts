/**
 * Result of a call; `undefined` where its file or folder is missing.
 *
 * @throws {Error} If it fails otherwise
 */
export async function ignoreMissing<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
