import { type MonthLike, toMonth } from "../api/calendar.ts";
import { ArgumentError } from "../api/errors.ts";
import type { World } from "../api/world.ts";
import { provenance } from "../frames/provenance.ts";
import { DrawingPool } from "../plots/drawing/drawing_pool.ts";
import { FileNames } from "./file_names.ts";
import { fleetContent, type FleetSource } from "./content/fleet_content.ts";
import { type Member, memberOf, memberWithout } from "./content/fleet_member.ts";
import { fleetPage } from "./pages/fleet_page.ts";
import { messages } from "./content/messages.ts";
import { fleetJson, turbineJson } from "./text/report_json.ts";
import { fleetMarkdown, turbineMarkdown } from "./text/report_markdown.ts";
import type { ReportOrigin } from "./content/sources.ts";
import { type TurbineContent, turbineContent } from "./content/turbine_content.ts";
import { turbinePage } from "./pages/turbine_page.ts";
import type { ReportFile } from "./report_file.ts";
import type { TurbineReport, TurbineWithoutData } from "./content/turbine_report.ts";
import { checkOptions, type OptionNames } from "../api/check_options.ts";

/** Options of {@linkcode fleetReport}. */
export interface FleetReportOptions {
  /** Month of the report; nothing after it is shown. */
  readonly month: MonthLike;
  /** Title of the fleet page. @default "Wind report" and the month */
  readonly title?: string;
  /** Name of the fleet, for the line below the title. @default none */
  readonly fleet?: string;
  /** Where figures come from whose frames do not say it; those of the sample make all files say SYNTHETIC. @default {"own"} */
  readonly world?: World;
  /** Attributions that the data require, beside those that the frames name. @default none */
  readonly attribution?: readonly string[];
  /** When the report was made, ISO 8601 UTC. @default now */
  readonly generatedAt?: string;
  /** Workers that draw the charts of large fleets beside this thread; 0 uses none. @default one a further core, at most three */
  readonly workers?: number;
}

/** What is gathered while the turbines go by. */
interface Gathered {
  readonly members: Member[];
  readonly attribution: Set<string>;
  readonly fetched: string[];
  world: World;
}

function gather(content: TurbineContent, into: Gathered): void {
  into.members.push(memberOf(content));
  for (const text of content.origin.attribution) into.attribution.add(text);
  if (content.origin.world === "sample") into.world = "sample";
  const at = provenance(content.given.indices)?.fetchedAt;
  if (at !== undefined) into.fetched.push(at);
}

async function turbineFiles(content: TurbineContent, pool: DrawingPool): Promise<ReportFile[]> {
  const path = `turbines/${content.file}`;
  return [
    { name: `${path}.html`, content: await turbinePage(content, pool) },
    { name: `${path}.md`, content: turbineMarkdown(content) },
    { name: `${path}.json`, content: turbineJson(content) },
  ];
}

/** The results of promises in their order; so many of them are under way at the same time. */
async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  width: number,
  act: (item: T) => Promise<R> | undefined,
): AsyncGenerator<R> {
  const under: Promise<R>[] = [];
  for await (const item of items) {
    const result = act(item);
    if (!result) continue;
    result.catch(() => {}); // told when its turn comes
    under.push(result);
    if (under.length >= width) yield await under.shift()!;
  }
  while (under.length > 0) yield await under.shift()!;
}

const OPTIONS: OptionNames<FleetReportOptions> = {
  month: "needed",
  title: "optional",
  fleet: "optional",
  world: "optional",
  attribution: "optional",
  generatedAt: "optional",
  workers: "optional",
};

/**
 * Makes the monthly report of a fleet: a page for the fleet and one for each turbine, as HTML that needs no network and
 * prints on A4, as Markdown and as JSON. Turbines may come one after the other, as they are fetched: of each, only the
 * figures are kept until the page of the fleet is made, last.
 *
 * @param turbines Details, indices and, where production is known, the comparison of each turbine; those without data
 * with the reason
 * @param options Month, title, origin
 * @returns The files, as they are ready: three for each turbine below `turbines/`, at the end `index.html`, `index.md`
 * and `index.json`. Names are safe on every file system, whatever the identifiers are
 * @throws {ArgumentError} If there is no turbine, one stands there twice, or the indices of one are not its own
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
export async function* fleetReport(
  turbines:
    | AsyncIterable<TurbineReport | TurbineWithoutData>
    | Iterable<TurbineReport | TurbineWithoutData>,
  options: FleetReportOptions,
): AsyncGenerator<ReportFile> {
  checkOptions("fleetReport()", options, OPTIONS);
  const month = toMonth(options.month).toString();
  const origin: ReportOrigin = {
    world: options.world ?? "own",
    attribution: options.attribution ?? [],
    generatedAt: options.generatedAt ?? new Date().toISOString(),
  };
  const gathered: Gathered = {
    members: [],
    attribution: new Set(origin.attribution),
    fetched: [],
    world: origin.world,
  };
  const names = new FileNames();
  const seen = new Set<string>();
  const { workers } = options;
  using pool = new DrawingPool(workers === undefined ? {} : { workers });
  const act = (given: TurbineReport | TurbineWithoutData) => {
    const id = "reason" in given ? given.turbineId : given.details.turbine_id;
    if (seen.has(id)) {
      throw new ArgumentError(
        `Cannot report on turbine "${id}": it stands there twice. Give it once`,
      );
    }
    seen.add(id);
    if ("reason" in given) return void gathered.members.push(memberWithout(given));
    const content = turbineContent(given, month, names.of(id), origin);
    gather(content, gathered);
    return turbineFiles(content, pool);
  };
  for await (const files of inOrder(turbines, pool.width, act)) yield* files;
  const { members, fetched, world, attribution } = gathered;
  if (members.length === 0) {
    throw new ArgumentError("Cannot make a report: there is no turbine. Give at least one");
  }
  fetched.sort();
  const content = fleetContent(members, {
    title: options.title ?? messages.title(month),
    fleet: options.fleet,
    month,
    source: fetched.length > 0 ? sourceOf(fetched) : undefined,
    origin: { ...origin, world, attribution: [...attribution] },
  });
  yield { name: "index.html", content: await fleetPage(content, pool) };
  yield { name: "index.md", content: fleetMarkdown(content) };
  yield { name: "index.json", content: fleetJson(content) };
}

function sourceOf(fetched: readonly string[]): FleetSource {
  return { first: fetched[0], last: fetched[fetched.length - 1] };
}
