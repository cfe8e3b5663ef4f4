/**
 * Links of the pages: they lead from a file of the checkout to another one, and are made to lead from page to page. One
 * that leads nowhere fails the build.
 *
 * @module
 */
import { posix } from "node:path";

const LINK = /\b(href|src)="([^"]*)"/g;

/** A link of a page: its target in the site, and the part of it. */
interface Link {
  readonly from: string;
  readonly text: string;
  readonly path: string;
  readonly part: string;
}

/** Address of one path of the site, seen from another. */
export function relativeTo(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}

/** Collects the links of all pages while these are written. */
export class Links {
  readonly #links: Link[] = [];
  readonly #pathOf: (source: string) => string;

  /** @param pathOf Where a file of the checkout is in the site */
  constructor(pathOf: (source: string) => string) {
    this.#pathOf = pathOf;
  }

  /** How many there are. */
  get count(): number {
    return this.#links.length;
  }

  /**
   * Makes the links of a page lead to pages. One that begins with a slash begins at the root of the site.
   *
   * @param html What the page shows
   * @param page Where it is from, and where it is written
   * @param name Called with each file of the checkout that is linked
   */
  follow(
    html: string,
    { source, path }: { source: string; path: string },
    name: (source: string) => void,
  ): string {
    return html.replace(LINK, (whole, attribute: string, text: string) => {
      if (/^(https?:|mailto:|data:)/.test(text)) return whole;
      const [file, part = ""] = text.split("#");
      const target = posix.normalize(posix.join(posix.dirname(source), decodeURI(file)));
      const own = file === "" ? path : file.startsWith("/") ? file.slice(1) : this.#pathOf(target);
      this.#links.push({ from: source, text, path: own, part });
      if (file !== "" && !file.startsWith("/")) name(target);
      const address = own === path && part ? "" : encodeURI(relativeTo(path, own));
      return `${attribute}="${address}${part && "#" + part}"`;
    });
  }

  /**
   * Lists the links that lead nowhere.
   *
   * @param written What is written by its path: the HTML of a page, "" for another file
   */
  findBroken(written: ReadonlyMap<string, string>): string[] {
    const parts = new Map([...written].map(([path, html]) => [
      path,
      new Set([...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)),
    ]));
    return this.#links.flatMap(({ from, text, path, part }) => {
      const known = parts.get(path);
      if (!known) return [`${from}: ${text} is no file of the checkout`];
      return part === "" || known.has(decodeURI(part))
        ? []
        : [`${from}: ${text} is no heading of ${path}`];
    });
  }
}
