/**
 * A small user site made from the sample's example files: climate of 2023 and 2024, hourly production of 2023. Each
 * test gets a copy in a separate folder.
 *
 * @module
 */
import { cpSync, existsSync } from "node:fs";
import { exampleFile } from "../../src/client/calls/access.ts";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { type ImportResult, storeSite } from "../../src/sites/fleet/store_site.ts";
import { readSite } from "../../src/sites/import_site.ts";
import type { SiteFile } from "../../src/sites/declaration/site_file.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { EXAMPLE_FILES } from "../../src/sample/example_files.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";
import { sha256 } from "../../src/disk/hashes.ts";

/** Texts of the small site's files, by name. */
type Texts = Readonly<Record<string, string>>;

/** Returns the header and the rows from one timestamp to before another. */
export function rowsBetween(csv: string, from: string, to: string): string {
  const at = (stamp: string) => {
    const position = csv.indexOf(`\n${stamp}`);
    if (position === -1) throw new Error(`The row of ${stamp} is missing`);
    return position + 1;
  };
  return csv.slice(0, csv.indexOf("\n") + 1) + csv.slice(at(from), at(to));
}

/** Removes the SYNTHETIC line, so the header is the first line that tests edit. */
function withoutComment(text: string): string {
  return text.replace(/^#.*\n/, "");
}

async function exampleTexts(): Promise<Texts> {
  const texts: Record<string, string> = {};
  for (const name of EXAMPLE_FILES) {
    texts[name] = withoutComment(await Deno.readTextFile(await exampleFile(name)));
  }
  return texts;
}

/** Copies the example files into a folder, with the climate cut to five years from the start of production. */
export async function copyExample(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  for (const name of EXAMPLE_FILES) {
    await Deno.copyFile(await exampleFile(name), `${folder}/${name}`);
  }
  const climate = await Deno.readTextFile(`${folder}/climate.csv`);
  const [first, begin] = ["\n2005", "\n2020-12-31"].map((row) => climate.indexOf(row) + 1);
  await Deno.writeTextFile(`${folder}/climate.csv`, climate.slice(0, first) + climate.slice(begin));
}

let examples: Promise<Texts> | undefined; // cached for all tests of a file

/** Returns the texts of the example files, all 21 years. */
export async function wholeExample(): Promise<Texts> {
  return await (examples ??= exampleTexts());
}

/** A site file and its sources in a separate folder. */
export class TestSite {
  /** The folder. */
  readonly folder: string;
  /** Content of the site file; tests may change it before the import writes it. */
  declared: SiteFile;

  constructor(folder: string, declared: SiteFile) {
    this.folder = folder;
    this.declared = declared;
  }

  /** Path of a file of the site. */
  path(name: string): string {
    return `${this.folder}/${name}`;
  }

  /** Writes the present declaration, and returns the path of the site file. */
  async siteFile(): Promise<string> {
    const path = this.path("site.json");
    await Deno.writeTextFile(path, JSON.stringify(this.declared, null, 2));
    return path;
  }

  /** Changes the text of a source. */
  async edit(name: string, change: (text: string) => string): Promise<void> {
    const text = await Deno.readTextFile(this.path(name));
    await Deno.writeTextFile(this.path(name), change(text));
  }

  /** Changes the lines of a source; the first is the header. */
  async editLines(name: string, change: (lines: string[]) => string[]): Promise<void> {
    await this.edit(name, (text) => change(text.trimEnd().split("\n")).join("\n") + "\n");
  }

  /** Changes a column of a source, row by row. */
  async editColumn(name: string, column: string, change: (value: string) => string): Promise<void> {
    await this.editLines(name, ([header, ...rows]) => {
      const i = header.split(",").indexOf(column);
      return [
        header,
        ...rows.map((row) => {
          const fields = row.split(",");
          fields[i] = change(fields[i]);
          return fields.join(",");
        }),
      ];
    });
  }
}

/** First timestamp, and the timestamp after the last, of a site's hours. */
export interface Spans {
  readonly climate: readonly [string, string];
  readonly production: readonly [string, string];
}

const SMALL: Spans = {
  climate: ["2022-12-31T00", "2025-01-01T01"],
  production: ["2022-12-31T23", "2023-12-31T23"],
};

const cut = new Map<string, Texts>(); // texts of small sites by their hours

/** Writes a small site into a new folder, optionally with other hours. */
export async function makeSite(spans: Partial<Spans> = {}): Promise<TestSite> {
  const { climate, production } = { ...SMALL, ...spans };
  const texts = await wholeExample();
  const folder = await Deno.makeTempDir();
  const small = cut.getOrInsertComputed(`${climate} ${production}`, () => ({
    "climate.csv": rowsBetween(texts["climate.csv"], ...climate),
    "production.csv": rowsBetween(texts["production.csv"], ...production),
    "production_monthly.csv": texts["production_monthly.csv"],
    "power_curve.csv": texts["power_curve.csv"],
  }));
  for (const [name, text] of Object.entries(small)) {
    await Deno.writeTextFile(`${folder}/${name}`, text);
  }
  return new TestSite(folder, JSON.parse(texts["site.json"]));
}

/** Rotates production to later hours; the end wraps to the start. */
export function moveProduction(site: TestSite, hours: number): Promise<void> {
  return site.editLines("production.csv", ([header, ...lines]) => {
    const values = lines.map((line) => line.slice(line.indexOf(",")));
    const moved = [...values.slice(-hours), ...values.slice(0, -hours)];
    return [header, ...lines.map((line, i) => line.slice(0, line.indexOf(",")) + moved[i])];
  });
}

/** Runs a test with a small site and an empty data directory; both are removed afterwards. */
export async function withSite(
  body: (site: TestSite, data: string) => Promise<void>,
): Promise<void> {
  const site = await makeSite();
  const data = await Deno.makeTempDir();
  try {
    await body(site, data);
  } finally {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  }
}

/** Copies of data directories after first imports, by the fingerprint of the import. */
const imported = new Map<string, { readonly folder: string; readonly result: ImportResult }>();

addEventListener("unload", () => {
  for (const { folder } of imported.values()) Deno.removeSync(folder, { recursive: true });
});

/**
 * Imports a site file into a data directory, as `deno task import` does. A first import is computed once and then
 * copied, including its identity, unless `fresh` is set.
 */
export async function importFile(
  siteFile: string,
  data: string,
  options: { recalibrate?: boolean; fresh?: boolean } = {},
): Promise<ImportResult> {
  const read = await readSite(await readSiteFile(siteFile));
  const isNew = !options.recalibrate && !options.fresh && !existsSync(`${data}/vindkit.sqlite`);
  const known = isNew && imported.get(read.fingerprint);
  if (known) {
    cpSync(known.folder, data, { recursive: true, preserveTimestamps: true });
    await using storage = await openStorage(data);
    await sitesOf(storage.store).setSiteFile(read.site, read.siteFile);
    return known.result;
  }
  const { store, files } = await openStorage(data, { create: true });
  let result: ImportResult;
  try {
    result = await storeSite(read, { store, files }, options);
  } finally {
    await store.close();
  }
  if (isNew) {
    const folder = await Deno.makeTempDir();
    cpSync(data, folder, { recursive: true, preserveTimestamps: true });
    imported.set(read.fingerprint, { folder, result });
  }
  return result;
}

/** Returns hashes of all files below a folder, by path. */
export async function hashesBelow(folder: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    if (isDirectory) Object.assign(hashes, await hashesBelow(path));
    else hashes[path] = sha256(await Deno.readFile(path));
  }
  return hashes;
}

/** Returns the factor of the first turbine of an import. */
export function factorOf(result: ImportResult): number {
  return result.turbines[0].calibration!.calibration.k;
}
