import { sha256 } from "../../disk/hashes.ts";
import { gzipSync } from "node:zlib";
import { acceptsGzip, answerConditionally, hashText } from "../responses/http_headers.ts";

/** Sources from which a page may load: this service only. */
const POLICY: Readonly<Record<string, string>> = {
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self'",
  "connect-src": "'self'",
  "form-action": "'none'",
  "frame-ancestors": "'none'",
  "base-uri": "'none'",
};

/**
 * Builds the headers that isolate a page: it loads nothing from other services, sends nothing there, and cannot be framed.
 *
 * @param overrides Rules of the content policy that differ
 */
export function buildSecurityHeaders(
  overrides: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const rules = Object.entries({ ...POLICY, ...overrides }).map(([name, value]) =>
    `${name} ${value}`
  );
  return {
    "content-security-policy": rules.join("; "),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
  };
}

/** A year, the longest that browsers keep anything. */
const FOREVER = "public, max-age=31536000, immutable";

/** A file that pages load. It is hashed and gzipped once, since browsers request it often. */
class Asset {
  readonly #mediaType: string;
  readonly #hash: string;
  readonly #plain: Uint8Array<ArrayBuffer>;
  readonly #gzip: Uint8Array<ArrayBuffer>;

  constructor(text: string, mediaType: string) {
    this.#mediaType = mediaType;
    this.#hash = hashText(text);
    this.#plain = new TextEncoder().encode(text);
    this.#gzip = new Uint8Array(gzipSync(this.#plain));
  }

  /** Answers with the file, or with 304 if the client has this form of it already. */
  async answer(request: Request): Promise<Response> {
    const zips = acceptsGzip(request.headers.get("accept-encoding"));
    const bytes = zips ? this.#gzip : this.#plain;
    const headers = {
      ...buildSecurityHeaders(),
      "cache-control": FOREVER,
      "content-length": String(bytes.length),
      "content-type": this.#mediaType,
      etag: zips ? `"${this.#hash}.gz"` : `"${this.#hash}"`,
      vary: "accept-encoding",
      ...(zips ? { "content-encoding": "gzip" } : {}),
    };
    return await answerConditionally(request, new Response(bytes, { headers }));
  }
}

/** Path of all files that pages load. */
export const ASSETS = "/assets";

/** Characters of the hash in an address. */
const HASH_LENGTH = 16;

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
};

/** Files by their names, and the hash of all of them. */
interface AssetSet {
  readonly hash: string;
  readonly assets: ReadonlyMap<string, Asset>;
}

/**
 * Files that pages load, read at their first use. Their address contains the hash of all of them, so browsers
 * may cache them forever, and a new version has another address.
 */
export class AssetFolder {
  readonly #name: string;
  readonly #read: () => Promise<Readonly<Record<string, string>>>;
  #loaded: Promise<AssetSet> | undefined;

  /** @param read Reads the texts of its files by their names */
  constructor(name: string, read: () => Promise<Readonly<Record<string, string>>>) {
    this.#name = name;
    this.#read = read;
  }

  /** Address of its files, with a slash at the end. */
  async address(): Promise<string> {
    return `${ASSETS}/${this.#name}/${(await this.#load()).hash}/`;
  }

  /**
   * Answers with a file, or with 304 if the client has it already.
   *
   * @returns `undefined` if it is not one of its files
   */
  async answer(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const folder = await this.address();
    if (!pathname.startsWith(folder)) return undefined;
    const name = pathname.slice(folder.length);
    const { assets } = await this.#load();
    return await assets.get(name)?.answer(request);
  }

  async #load(): Promise<AssetSet> {
    this.#loaded ??= this.#read().then((texts) => ({
      assets: new Map(
        Object.entries(texts).map(([name, text]) => {
          const ending = name.slice(name.lastIndexOf(".") + 1);
          return [name, new Asset(text, MEDIA_TYPES[ending])];
        }),
      ),
      hash: sha256(JSON.stringify(texts)).slice(0, HASH_LENGTH),
    }));
    return await this.#loaded;
  }
}

/**
 * Scripts, styles and icon of the pages: readable sources, sent as they are. Imported when a page is opened: JSR refuses
 * modules that import text statically.
 */
export const pageAssets: AssetFolder = new AssetFolder("pages", async () => {
  const modules = {
    "icon.svg": import("./browser/icon.svg", { with: { type: "text" } }),
    "map.js": import("./browser/map.js", { with: { type: "text" } }),
    "page.css": import("./browser/page.css", { with: { type: "text" } }),
    "service.js": import("./browser/service.js", { with: { type: "text" } }),
    "session.js": import("./browser/session.js", { with: { type: "text" } }),
    "start.css": import("./browser/start.css", { with: { type: "text" } }),
    "start.js": import("./browser/start.js", { with: { type: "text" } }),
    "ui.css": import("./browser/ui.css", { with: { type: "text" } }),
    "ui.js": import("./browser/ui.js", { with: { type: "text" } }),
  };
  const texts = Object.entries(modules).map(async (
    [name, module],
  ) => [name, (await module).default]);
  const { buildDarkRules } = await import("../../plots/drawing/recolor.ts");
  return {
    ...Object.fromEntries(await Promise.all(texts)),
    "charts.css": buildDarkRules("svg.marks"),
  };
});
