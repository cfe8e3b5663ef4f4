import { Refusal } from "../../storage/jobs/refusal.ts";
import { buildOriginHeaders, type Call } from "./call.ts";
import { delay } from "@std/async";
import { type ReaderPatience, streamParts } from "../responses/stream_parts.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { buildTaggedText, hashText } from "../responses/http_headers.ts";
import { listCoveredTurbines } from "../licences/licences.ts";

/**
 * Streams the parts of a text as they are made, so the first byte is sent early and the whole text is never in memory.
 * Each part is made when the reader takes the previous one; none is made after the reader leaves or stops reading for
 * too long. If making a part fails, the connection breaks, so no client mistakes the beginning for the whole.
 */
export function streamText(
  parts: AsyncGenerator<string, void, void>,
  patience?: ReaderPatience,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return streamParts({
    next: async () => {
      await delay(0); // lets waiting requests be answered before the next part
      const { done, value } = await parts.next();
      return done ? undefined : encoder.encode(value);
    },
    close: async () => void await parts.return(),
  }, patience);
}

type MakeItems = (ids: readonly string[]) => readonly unknown[] | Promise<readonly unknown[]>;

/** The items of each non-empty page, as JSON without the brackets of the list. */
async function* readPages(
  { licence, store }: Call,
  toItems: MakeItems,
): AsyncGenerator<string, void, void> {
  for await (const ids of listCoveredTurbines(licence, sitesOf(store))) {
    const items = await toItems(ids);
    if (items.length > 0) yield JSON.stringify(items).slice(1, -1);
  }
}

/** Joins the first two pages and the rest into one list; throws if an import has changed the data meanwhile. */
async function* joinPages(
  begin: readonly [string, string],
  pages: AsyncIterator<string, void>,
  isCurrent: () => Promise<boolean>,
): AsyncGenerator<string, void, void> {
  yield `[${begin[0]}`;
  yield `,${begin[1]}`;
  while (true) {
    const page = await pages.next();
    if (!await isCurrent()) {
      throw new Error("Stopped sending a list of turbines: an import changed the list meanwhile");
    }
    if (page.done) return yield "]";
    yield `,${page.value}`;
  }
}

/**
 * Answers with a list that has an item for each of many turbines. A single page is sent whole, tagged with its hash. A
 * longer list is sent while its pages are read; its tag hashes everything that decides its bytes: the version of the
 * sites, the turbines of the licence, and the first page, which shows how items are written.
 *
 * @param toItems Makes the items of the turbines of a page
 * @param none Text of the refusal if there is no item
 * @throws {Refusal} If there is no item
 */
export async function answerTurbineList(
  call: Call,
  toItems: MakeItems,
  none: string,
): Promise<Response> {
  const { licence } = call;
  const sites = sitesOf(call.store);
  const headers = {
    ...await buildOriginHeaders(call.store),
    "content-type": "application/json",
  };
  while (true) {
    const version = await sites.version();
    const isCurrent = async () => await sites.version() === version;
    const pages = readPages(call, toItems);
    const first = await pages.next();
    const second = await pages.next();
    if (!await isCurrent()) continue;
    if (first.done) throw new Refusal("no_data", none);
    if (second.done) return buildTaggedText(`[${first.value}]`, headers);
    const tag = hashText(JSON.stringify([version, licence.turbines, first.value]));
    const text = joinPages([first.value, second.value], pages, isCurrent);
    return new Response(streamText(text), { headers: { ...headers, etag: `"${tag}"` } });
  }
}
