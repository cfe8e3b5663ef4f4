/**
 * Rewrites links between files of the checkout to links between pages of the site. A broken link fails the build.
 *
 * @module
 */
import { posix } from "node:path";

const LINK = /\b(href|src)="([^"]*)"/g;

/** A link of a page: its target in the site, and the fragment. */
interface Link {
  readonly from: string;
  readonly text: string;
  readonly path: string;
  readonly part: string;
}

/** Relative address from one path of the site to another. */
export function relativeTo(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}

/** Collects the links of all pages while they are written. */
export class Links {
  readonly #links: Link[] = [];
  readonly #pathOf: (source: string) => string;

  /** @param pathOf Returns the path of a checkout file in the site */
  constructor(pathOf: (source: string) => string) {
    this.#pathOf = pathOf;
  }

  /** Number of links. */
  get count(): number {
    return this.#links.length;
  }

  /**
   * Makes the links of a page lead to pages. A link with a leading slash begins at the root of the site.
   *
   * @param html HTML of the page
   * @param page Its source and its path in the site
   * @param name Called with each linked file of the checkout
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
      const resolved = file === ""
        ? path
        : file.startsWith("/")
        ? file.slice(1)
        : this.#pathOf(target);
      this.#links.push({ from: source, text, path: resolved, part });
      if (file !== "" && !file.startsWith("/")) name(target);
      const address = resolved === path && part ? "" : encodeURI(relativeTo(path, resolved));
      return `${attribute}="${address}${part && "#" + part}"`;
    });
  }

  /**
   * Lists the broken links.
   *
   * @param written The written files by path: the HTML of a page, "" for another file
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
