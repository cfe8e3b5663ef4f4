import type { DataFrame } from "nodejs-polars";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import type { SiteFile } from "./site_file.ts";

/** A declared site, of `defineSite()` or `readSiteFile()`: its declaration is checked, its files are not read yet. */
export interface Site {
  /** Name of the site. */
  readonly site: string;
}

/** What a site is made of. */
export interface SiteParts {
  /** What a site file says of it, as it is saved. */
  readonly document: unknown;
  /** The same with all that may be left out. */
  readonly declared: SiteFile;
  /** The text whose change is a change of the declaration. */
  readonly text: string;
  /** Its name in messages: the path of the site file, if it has one. */
  readonly label: string;
  /** Path of its site file, links followed; `undefined` of a site that a program defines. */
  readonly path?: string;
  /** Folder from which its paths lead. */
  readonly folder: string;
  /** Frames of the program, by the names of the files that they are when the site is saved. */
  readonly frames: ReadonlyMap<string, DataFrame>;
}

const parts = new WeakMap<object, SiteParts>();

/** Makes a site of its parts. */
export function buildSite(of: SiteParts): Site {
  const site: Site = Object.freeze({ site: of.declared.site });
  parts.set(site, of);
  return site;
}

/**
 * The parts of a site.
 *
 * @param site What the caller gave
 * @param act What is being done, for the message
 * @throws {ArgumentError} If it is no site
 */
export function partsOf(site: Site, act: string): SiteParts {
  const found = typeof site === "object" && site !== null ? parts.get(site) : undefined;
  if (found) return found;
  throw new ArgumentError(
    `Cannot ${act}: a site is needed, as defineSite() or readSiteFile() gives it; this is ${
      describeValue(site)
    }`,
  );
}
