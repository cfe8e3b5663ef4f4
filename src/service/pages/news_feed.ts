import { Buffer } from "node:buffer";
import { visibleText } from "../../api/error_text.ts";
import type { Operation } from "../../api/operations/operation.ts";
import { operationOf } from "../../api/operations/operations.ts";
import { SYNTHETIC } from "../../api/world.ts";
import { escapeHtml } from "../../show/text/html.ts";
import { formatCount } from "../../show/text/numbers.ts";
import {
  findLargestChange,
  formatChange,
  formatTurbineNews,
  groupLines,
  listCauses,
  type TurbineNews,
} from "../../sites/keep/turbine_news.ts";
import type { StoredTurbine } from "../../sites/keep/site_record.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { type Answer, buildOriginHeaders, type Call } from "../operations/call.ts";
import { NEWS_PATH, START_PATH } from "./addresses.ts";
import { doPart, readTurbines } from "./fleet.ts";
import { showName } from "./fleet_markup.ts";
import { buildTaggedText, hashText } from "../responses/http_headers.ts";

/** Most entries of a feed, one for each import. */
const MAX_ENTRIES = 24;

/** The feed. Its access and refusals are like those of the list of reports. */
export const newsOperation: Operation = {
  ...operationOf("report_turbines"),
  path: NEWS_PATH,
  parameters: [],
};

/** Reads the key that a feed reader sends as a password of HTTP Basic: most have no other header to set. */
export function readPassword(authorization: string | undefined): string | undefined {
  const [, coded] = /^Basic +([\w+/]+=*)$/i.exec(authorization ?? "") ?? [];
  return coded && Buffer.from(coded, "base64").toString().replace(/^[^:]*:/, "");
}

/** A text in XML: forbidden and invisible characters are escaped. */
const xml = (text: string) => escapeHtml(visibleText(text).replaceAll(/[\ufffe\uffff]/g, "\ufffd"));

/** A permanent name, from 128 bits of a hash (RFC 9562, version 8). */
function nameUuid(of: readonly (string | number)[]): string {
  const form = /^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/;
  return hashText(JSON.stringify(of)).replace(form, "urn:uuid:$1-$2-8$3-8$4-$5");
}

/** Summarizes the news of turbines. */
function summarize(turbines: readonly ReportedNews[]): string {
  const months = Map.groupBy(turbines.flatMap(({ news }) => news.months), ({ change }) => change);
  const largest = findLargestChange(months.get("revised") ?? []);
  const parts = [
    ...(["new", "revised", "final"] as const).flatMap((change) => {
      const labels = [...new Set(months.get(change)?.map(({ month }) => month))].sort();
      if (labels.length === 0) return [];
      const span = labels.length === 1
        ? labels[0]
        : `${labels.length} months of ${labels[0]} to ${labels.at(-1)}`;
      const size = change === "revised" && largest !== null
        ? ` by at most ${formatChange(largest)}`
        : "";
      return [`${change} ${span}${size}`];
    }),
    ...turbines.some(({ news }) => news.production) ? ["new production"] : [],
  ];
  const subject = turbines.length === 1 ? turbines[0].id : formatCount(turbines.length, "turbine");
  return `${subject}: ${parts.join("; ") || "a new status, or new figures for longer periods"}`;
}

/** News of a turbine. */
interface ReportedNews {
  /** The turbine as the feed names it. */
  readonly id: string;
  readonly news: TurbineNews;
}

/** Finds news by the instant at which they were stored, the latest first. */
async function findNews(
  call: Call,
  turbines: readonly StoredTurbine[],
): Promise<ReadonlyMap<number, readonly ReportedNews[]>> {
  const instants = turbines.flatMap(({ published = [] }) => published.map(({ at }) => at));
  const last = [...new Set(instants)].sort((a, b) => b - a).slice(0, MAX_ENTRIES);
  const newsByInstant = new Map(last.map((at): [number, ReportedNews[]] => [at, []]));
  for (const stored of turbines) {
    const { turbine: { id }, published = [] } = stored;
    await doPart(call, async () => {
      for (const { edition, at } of published) {
        if (!newsByInstant.has(at)) continue;
        const news = await sitesOf(call.store).newsOf(stored, edition - 1, edition);
        newsByInstant.get(at)!.push({ id: showName(stored, id), news });
      }
    });
  }
  return newsByInstant;
}

/** Answers with the news of a licence's turbines as an Atom feed (RFC 4287): an entry for each import. */
export const answerNews: Answer = async (call) => {
  const { licence: { serialNumber }, origin, store } = call;
  const { count, turbines } = await readTurbines(call);
  const stored = turbines.map((one) => one.stored);
  const mark = await store.world() === "sample" ? `${SYNTHETIC}: ` : "";
  const attribution = [...new Set(stored.flatMap((one) => one.attribution))];
  const formatInstant = (at: number) => Temporal.Instant.fromEpochMilliseconds(at).toString();
  const newsByInstant = [...await findNews(call, stored)];
  const entries = newsByInstant.map(([at, reported]) => {
    const lines = groupLines(reported.map(({ id, news }) => [id, formatTurbineNews(news)]));
    return `<entry>
<id>${nameUuid([serialNumber, at])}</id>
<title>${xml(mark + summarize(reported))}</title>
<updated>${formatInstant(at)}</updated>
${
      listCauses(reported.map(({ news }) => news)).map((cause) => `<category term="${cause}"/>`)
        .join("")
    }
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><ul>${
      lines.map((line) => `<li>${xml(line)}</li>`).join("\n")
    }</ul></div></content>
</entry>`;
  });
  const all = formatCount(count, "turbine");
  const text = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${nameUuid([serialNumber])}</id>
<title>${mark}News of the wind indices</title>
<subtitle>${
    stored.length < count ? `The first ${stored.length} of ${all}` : all
  }; 100 % is a normal month of the same name</subtitle>
<updated>${formatInstant(newsByInstant[0]?.[0] ?? 0)}</updated>
<author><name>Vindkit</name></author>
<link rel="self" type="application/atom+xml" href="${xml(origin + NEWS_PATH)}"/>
<link rel="alternate" type="text/html" href="${xml(origin + START_PATH)}"/>
${attribution.length > 0 ? `<rights>${xml(attribution.join("; "))}</rights>\n` : ""}${
    entries.join("\n")
  }
</feed>
`;
  return buildTaggedText(text, {
    ...await buildOriginHeaders(store, { attribution }),
    "content-type": "application/atom+xml; charset=utf-8",
  });
};
