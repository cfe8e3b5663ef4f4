import { type MonthLike, toMonth } from "../api/calendar.ts";
import { describeValue, findHidden } from "../api/error_text.ts";
import { ArgumentError } from "../api/errors.ts";
import type { World } from "../api/world.ts";
import { sha256 } from "../disk/hashes.ts";
import { checkOwner, type OwnerShare } from "../frames/ownership.ts";
import { provenance } from "../frames/origin/provenance.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { buildFleetContent } from "./content/fleet_content.ts";
import { buildMember, buildMemberWithoutData, type FleetMember } from "./content/fleet_member.ts";
import { messages } from "./content/messages.ts";
import type { ReportOrigin } from "./content/sources.ts";
import { buildTurbineContent } from "./content/turbine_content.ts";
import type { TurbineReport, TurbineWithoutData } from "./content/turbine_report.ts";
import { buildFleetDocument, buildTurbineDocument } from "./document/build_documents.ts";
import { type ReportFile, type ReportPage, writePages } from "./report_pages.ts";
import { formatFleetJson, formatTurbineJson } from "./writers/json.ts";

/** Names that work unchanged in every file system and URL, and that no shell reads as an option. */
const PLAIN = /^[A-Za-z0-9_][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)*$/;

/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Longest identifier that serves as a file name unchanged, characters. */
const MAX_LENGTH = 60;

/** Hash of an identifier, as JSON because a lone surrogate has no UTF-8. */
function hashId(id: string): string {
  return sha256(JSON.stringify(id));
}

/**
 * Gives each turbine a file name that is safe everywhere and unique, also if case is ignored. A plain identifier stays
 * unchanged; others are cleaned and end with the start of their hash.
 */
export class FileNames {
  readonly #taken = new Set<string>();

  /** Name of a turbine's files, without extension. Call it once for each turbine. */
  of(id: string): string {
    const hashed = () => {
      const cleaned = id.slice(0, 200).replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
      return `${cleaned.slice(0, 40) || "turbine"}-${hashId(id).slice(0, 10)}`;
    };
    const plain = id.length <= MAX_LENGTH && PLAIN.test(id) && !DEVICE.test(id);
    let name = plain ? id : hashed();
    if (this.#taken.has(name.toLowerCase())) name = hashed();
    for (let i = 2; this.#taken.has(name.toLowerCase()); i++) name = `${hashed()}-${i}`;
    this.#taken.add(name.toLowerCase());
    return name;
  }
}

/** Options of {@linkcode fleetReport}. */
export interface FleetReportOptions {
  /** Month of the report; later months are not shown. */
  readonly month: MonthLike;
  /** Name of the fleet, for the line below the title. @default none */
  readonly fleet?: string;
  /** World of frames without provenance; figures of the sample mark all files as SYNTHETIC. @default {"own"} */
  readonly world?: World;
  /** Creation time, an instant in ISO 8601, such as "2026-01-05T10:00:00Z". @default now */
  readonly generatedAt?: string;
  /** An owner, such as `{ owner: "A. Hansen", ownership: readOwnership(site) }`: the report adds energies and indices of their share. @default none */
  readonly share?: OwnerShare | undefined;
}

/** @throws {ArgumentError} If `given` is not an instant */
export function readInstant(given: string): string {
  try {
    return Temporal.Instant.from(given).toString();
  } catch {
    throw new ArgumentError(
      `Cannot make a report: generatedAt is ${
        describeValue(given)
      }, not a timestamp with a time zone. ` +
        'Give a timestamp such as "2026-01-05T10:00:00Z"',
    );
  }
}

const OPTIONS = declareOptions<FleetReportOptions>()(
  "month! fleet generatedAt share",
  { world: "own" },
);

/** The pages of a fleet: its turbines' as their data arrive, the fleet's own at the end. */
export async function* buildFleetPages(
  turbines:
    | AsyncIterable<TurbineReport | TurbineWithoutData>
    | Iterable<TurbineReport | TurbineWithoutData>,
  options: FleetReportOptions,
): AsyncGenerator<ReportPage> {
  const month = toMonth(options.month).toString();
  const { fleet, share } = options;
  const hidden = typeof fleet === "string" ? findHidden(fleet) : null;
  if (hidden !== null) { // it would hide other texts, or have several lines
    throw new ArgumentError(`Cannot make a report: fleet has ${hidden}. Remove this character`);
  }
  const origin: ReportOrigin = {
    world: options.world ?? "own",
    attribution: [],
    generatedAt: readInstant(options.generatedAt ?? new Date().toISOString()),
  };
  // keep only the fields of each turbine that the fleet's page needs
  const members: FleetMember[] = [];
  const fetched: string[] = [];
  const attribution = new Set<string>();
  let { world } = origin;
  if (share) checkOwner(share, "report");
  const names = new FileNames();
  const seen = new Set<string>();
  for await (const turbine of turbines) {
    const id = "reason" in turbine ? turbine.turbineId : turbine.details.turbine_id;
    if (seen.has(id)) {
      throw new ArgumentError(
        `Cannot report on turbine "${id}": the list contains this turbine twice. List each turbine once`,
      );
    }
    seen.add(id);
    if ("reason" in turbine) {
      members.push(buildMemberWithoutData(turbine, month, share));
      continue;
    }
    const content = buildTurbineContent(turbine, month, names.of(id), origin, share);
    members.push(buildMember(content));
    for (const text of content.origin.attribution) attribution.add(text);
    if (content.origin.world === "sample") world = "sample";
    fetched.push(...provenance(turbine.indices).flatMap(({ fetchedAt }) => fetchedAt ?? []));
    yield {
      path: `turbines/${content.file}`,
      document: buildTurbineDocument(content),
      formatJson: () => formatTurbineJson(content),
    };
  }
  if (members.length === 0) {
    throw new ArgumentError(
      "Cannot make a report: the list of turbines is empty. Give at least one turbine",
    );
  }
  fetched.sort();
  const content = buildFleetContent(members, {
    title: messages.title(month),
    fleet,
    month,
    source: fetched.length > 0 ? { first: fetched[0], last: fetched.at(-1)! } : undefined,
    origin: { ...origin, world, attribution: [...attribution] },
  }, share?.owner);
  yield {
    path: "index",
    document: buildFleetDocument(content),
    formatJson: () => formatFleetJson(content),
  };
}

/**
 * Makes the monthly report of a fleet: a page for the fleet and one for each turbine, as self-contained HTML that prints on
 * A4, as Markdown and as JSON. Turbines may arrive one by one, as you fetch them: only the figures of each stay in memory
 * until the fleet's page, which comes last.
 *
 * @param turbines Details, indices and, if production is known, the comparison of each turbine; or why it has no data
 * @param options Month, fleet, origin
 * @returns The files, as soon as they are ready: three for each turbine below `turbines/`, at the end `index.html`, `index.md`
 * and `index.json`. Names are safe on every file system, for any identifiers
 * @throws {ArgumentError} If there is no turbine, one is duplicated, indices belong to another turbine, or `generatedAt` is
 * not an instant
 *
 * @example The sample's turbine T1 in a month
 * ```ts
 * import { monthlyIndices, turbineDetails } from "@vindkit/vindkit";
 * import { fleetReport } from "@vindkit/vindkit/report";
 * import { assertEquals } from "@std/assert";
 *
 * const details = await turbineDetails("T1");
 * const indices = await monthlyIndices("T1", { from: "2022-01", to: "2023-12" });
 * const files = await Array.fromAsync(fleetReport([{ details, indices }], { month: "2023-12" }));
 * assertEquals(files.map(({ name }) => name), [
 *   "turbines/T1.html",
 *   "turbines/T1.md",
 *   "turbines/T1.json",
 *   "index.html",
 *   "index.md",
 *   "index.json",
 * ]);
 * ```
 */
export function fleetReport(
  turbines:
    | AsyncIterable<TurbineReport | TurbineWithoutData>
    | Iterable<TurbineReport | TurbineWithoutData>,
  options: FleetReportOptions,
): AsyncGenerator<ReportFile> {
  const read = () => readOptions("fleetReport()", options, OPTIONS); // errors surface with the first page
  return writePages(() => buildFleetPages(turbines, read()));
}
