import { openStorage } from "../../../src/storage/storage.ts";
import type { Kind } from "../../../src/storage/store/document_cache.ts";
import type { Store } from "../../../src/storage/store/store.ts";

/**
 * Changes all documents of a kind in a data directory consistently, as if another program had stored them.
 *
 * @param change Receives the parts of a document, and changes them in place
 */
export async function editDocuments(
  data: string,
  kind: Kind,
  // deno-lint-ignore no-explicit-any -- JSON
  change: (parts: any[]) => void,
): Promise<void> {
  await using storage = await openStorage(data);
  await (storage.store as Store).documents.transaction(async (all) => {
    const documents = structuredClone(await all.read<unknown>(kind));
    for (const { contents } of documents) change(contents as unknown[]);
    await all.put(kind, documents.map(({ entry, contents }) => ({ ...entry, parts: contents })));
  });
}
