/**
 * Loads the service: the one place where the client reaches it, for the worlds that run in this process and for the
 * sample's own files. A client of a live service never loads it.
 */
export async function loadService() {
  return await import("../../service/mod.ts");
}
