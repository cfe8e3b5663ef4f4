/**
 * A service with news: three turbines with hostile identifiers, stored three times, and two licences.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { issueKey, LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { serve } from "../../../src/service/running/serve.ts";
import { openService } from "../../../src/service/running/service.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { bareTurbine, dataset, month, site } from "../../storage/store/_records.ts";

/** Identifiers that are markup, the end of a section, and an entity. */
export const HOSTILE = ["<b>A&1</b>", "]]>'\"", "&lt;C"] as const;

/** A served store with news. */
export interface ServedNews extends AsyncDisposable {
  readonly url: string;
  /** Key of a licence of all turbines. */
  readonly all: string;
  /** Key of a licence of the first turbine. */
  readonly one: string;
  /** Requests the feed. */
  ask(
    headers?: Record<string, string>,
    path?: string,
  ): Promise<{ response: Response; text: string }>;
  /** Stores a month of the first turbine once more, with another index. */
  revise(index: number): Promise<void>;
}

/** Serves news. */
export async function serveNews(): Promise<ServedNews> {
  const data = await Deno.makeTempDir();
  const { store } = await openStorage(data, { create: true });
  const [id, ...others] = HOSTILE;
  const put = async (...months: ReturnType<typeof month>[]) => {
    const turbines = [
      bareTurbine(id, months),
      ...others.map((one) => bareTurbine(one, [month(1)])),
    ];
    await putSite(
      store,
      site({ datasets: [{ ...dataset, attribution: ["<i>Some & body"] }], points: [], turbines }),
    );
  };
  await put(month(1), month(2, { status: "preliminary" }));
  await put(month(1), month(2), month(3)); // February is confirmed, March is new
  await put(month(1), month(2), month(3)); // no news
  const licence = { ...LOCAL_LICENCE, email: "a@example.org" };
  const keyOf = async (serialNumber: string, turbines: readonly string[] | null) => {
    const newLicence = { ...licence, serialNumber, turbines };
    await store.licences.put(newLicence);
    return await issueKey(newLicence, store.licences);
  };
  const [all, one] = [await keyOf("ALL", null), await keyOf("ONE", [id])];
  const server = serve(await openService(data));
  return {
    ...{ url: server.url, all, one },
    async ask(headers = {}, path = "/news.atom") {
      const response = await fetch(server.url + path, { headers });
      return { response, text: await response.text() };
    },
    revise: (index) =>
      put(month(1, { month_abnormality_index: index, month_index: index }), month(2), month(3)),
    async [Symbol.asyncDispose]() {
      await server.close();
      await store.close();
      await Deno.remove(data, { recursive: true });
    },
  };
}
