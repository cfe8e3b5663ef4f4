import { dirname, resolve } from "node:path";
import type { DataFrame } from "nodejs-polars";
import { type PriceFormat, type PriceOptions, readPrices } from "../../../mod.ts";
import { VindkitError } from "../../api/errors.ts";
import { parseJsonFile } from "../../frames/files/json.ts";
import { readNamedFile } from "../../frames/files/read_file.ts";
import type { OwnerShare } from "../../frames/ownership.ts";
import { listCoveredTurbines, LOCAL_LICENCE } from "../../service/mod.ts";
import {
  readExclusions,
  readFleetProduction,
  readOwnership,
  readSiteFile,
  readSiteProduction,
  type Sites,
  sitesOf,
  type StoredTurbine,
} from "../../sites/mod.ts";
import { openStorage } from "../../storage/mod.ts";
import { monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import { callerPath } from "../command/arguments.ts";
import { type Arguments, type CommandOption, MisuseError } from "../command/command.ts";

/** All stored turbines, except those that another process deletes meanwhile. */
export async function readTurbines(sites: Sites): Promise<readonly StoredTurbine[]> {
  const turbines: StoredTurbine[] = [];
  for await (const ids of listCoveredTurbines(LOCAL_LICENCE, sites)) {
    turbines.push(...await sites.turbines(ids));
  }
  return turbines;
}

/** Production by turbine: frames, or why it is missing. */
export type Productions = ReadonlyMap<string, DataFrame | string>;

/** The production of a site file by turbine. */
export async function readProductions(path: string): Promise<Productions> {
  const site = await readSiteProduction(await readSiteFile(path));
  return new Map(site.map(({ turbineId, frame }) => [turbineId, frame]));
}

/**
 * Reads the production of the stored sites by turbine. If it cannot be read, the turbine gets the reason instead; if the
 * site file cannot be read, so do all turbines of the site.
 *
 * @param turbines All turbines
 * @param failures Errors by site, of sites known to fail
 */
export async function readStoredProductions(
  sites: Sites,
  turbines: readonly StoredTurbine[],
  failures: ReadonlyMap<string, unknown> = new Map(),
): Promise<Productions> {
  const productions = new Map<string, DataFrame | string>();
  const failed = new Map(failures);
  const reasons = new Map<string, string>();
  for (const [site, path] of await sites.siteFiles()) {
    if (path === undefined || failed.has(site)) continue;
    try {
      const { production, failures } = await readFleetProduction(await readSiteFile(path));
      for (const { turbineId, frame } of production) productions.set(turbineId, frame);
      for (const { id, message } of failures) reasons.set(id, message);
    } catch (error) {
      if (!(error instanceof VindkitError)) throw error;
      failed.set(site, error);
    }
  }
  for (const { turbine: { id }, site, production } of turbines) {
    const reason = reasons.get(id) ?? (failed.get(site) as Error | undefined)?.message;
    if (reason !== undefined && production) productions.set(id, reason);
  }
  return productions;
}

/** Options of an owner's share. */
export const ownerOptions: Readonly<Record<"owner" | "ownership", CommandOption>> = {
  owner: { value: "NAME", about: "also the figures of this owner's share" },
  ownership: {
    value: "SITE.json",
    about:
      "site file that names the owners (default: the file of --production; with --data, the imported site files)",
  },
};

/** The site files of a path, or of the imports of the data directory. */
async function readSites(path: string | undefined, data: string | undefined) {
  const list = async () => {
    await using storage = await openStorage(callerPath(data!));
    return [...(await sitesOf(storage.store).siteFiles()).values()];
  };
  const paths = path !== undefined ? [callerPath(path)] : data !== undefined ? await list() : [];
  return await Promise.all(paths.filter((one) => one !== undefined).map(readSiteFile));
}

/** The owner in the options, with the ownership of the site files. */
export async function findShare({ text }: Arguments): Promise<OwnerShare | undefined> {
  const [owner, data] = ["owner", "data"].map(text);
  const path = text("ownership") ?? text("production");
  if (owner === undefined) return undefined;
  if (path === undefined && data === undefined) {
    throw new MisuseError(
      `Cannot find the share of "${owner}": the site file is missing. Give --ownership SITE.json`,
    );
  }
  const sites = await readSites(path, data);
  return { owner, ownership: new Map(sites.flatMap((site) => [...readOwnership(site)])) };
}

/** Option of the price of energy. */
export const priceOption: CommandOption = {
  value: "PRICE",
  about:
    'price per MWh, such as 62 or 450DKK, or a JSON file with "file" and the fields of readPrices(); adds the value of ' +
    "each energy",
};

/**
 * The price in the options: a number with or without a currency, or a file that declares where prices are and how to read
 * them.
 */
export async function findPrice(args: Arguments): Promise<PriceOptions> {
  const price = args.text("price");
  if (price === undefined) return {};
  const [, number, currency] = /^(-?\d+(?:\.\d+)?) ?([A-Z]{3})?$/.exec(price) ?? [];
  if (number !== undefined) return { price: Number(number), currency };
  const path = callerPath(price);
  const refuse = (problem: string): never => {
    throw new MisuseError(
      `Cannot read "${price}" in --price: ${problem}. Give a price such as 62 or 450DKK, or a JSON file such as ` +
        '{"file": "prices.csv", "column": "Price", "time": "Hour", "resolution": "hour", "unit": "EUR/MWh", "time_zone": "UTC"}',
    );
  };
  if (!/\.json$/i.test(path)) refuse("it is not a number");
  const text = new TextDecoder().decode(await readNamedFile(path));
  const declared = parseJsonFile(text, path) as { readonly file?: unknown } | null;
  const { file, ...how } = { ...declared };
  if (typeof file !== "string") return refuse('it has no "file"');
  return { price: await readPrices(resolve(dirname(path), file), how as PriceFormat) };
}

/** Months of a turbine that its site file excludes. */
export async function findExclusions({ text }: Arguments, id: string): Promise<string[]> {
  const sites = await readSites(text("production"), text("data"));
  const months = sites.flatMap((site) => readExclusions(site).get(id) ?? [])
    .flatMap(({ from, to }) => {
      const [first, last] = [from, to].map((day) =>
        monthNumberOf(Temporal.PlainYearMonth.from(day.slice(0, 7)))
      );
      return Array.from({ length: last - first + 1 }, (_, i) => `${monthOfNumber(first + i)}`);
    });
  return [...new Set(months)];
}
