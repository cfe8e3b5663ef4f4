import { sha256 } from "../../disk/hashes.ts";
import { gzipSync } from "node:zlib";
import { ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";
import { acceptsGzip } from "../responses/accepts_gzip.ts";
import { hashText } from "../responses/tagged_answer.ts";
import { buildSecurityHeaders } from "./security_headers.ts";

/** A year: as long as browsers keep anything. */
const FOREVER = "public, max-age=31536000, immutable";

/** A file in one of the forms in which it is sent. */
interface Form {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Headers of an answer with or without the bytes. */
  readonly headers: Readonly<Record<string, string>>;
  /** Further headers of an answer with the bytes. */
  readonly ofBytes: Readonly<Record<string, string>>;
}

/** A file that pages load. It is hashed and gzipped once, since browsers request it often. */
class Asset {
  readonly #plain: Form;
  readonly #gzip: Form;

  constructor(text: string, mediaType: string) {
    const hash = hashText(text);
    const form = (
      bytes: Uint8Array<ArrayBuffer>,
      tag: string,
      own: Readonly<Record<string, string>> = {},
    ): Form => ({
      bytes,
      headers: {
        ...buildSecurityHeaders(),
        "cache-control": FOREVER,
        vary: "accept-encoding",
        etag: `"${tag}"`,
      },
      ofBytes: { "content-type": mediaType, "content-length": String(bytes.length), ...own },
    });
    const bytes = new TextEncoder().encode(text);
    this.#plain = form(bytes, hash);
    this.#gzip = form(new Uint8Array(gzipSync(bytes)), `${hash}.gz`, {
      "content-encoding": "gzip",
    });
  }

  /** Answers with the file, or with 304 where the client has this form of it already. */
  answer({ headers: requested }: Request): Response {
    const { bytes, headers, ofBytes } = acceptsGzip(requested.get("accept-encoding"))
      ? this.#gzip
      : this.#plain;
    return ifNoneMatch(requested.get("if-none-match"), headers.etag)
      ? new Response(bytes, { headers: { ...headers, ...ofBytes } })
      : new Response(null, { status: STATUS_CODE.NotModified, headers });
  }
}

/** Path below which all files are that pages load. */
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

function mediaTypeOf(name: string): string {
  return MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)];
}

/**
 * Files that pages load, read at their first use. Their address contains the hash of all of them, so that browsers
 * may cache them for ever and a new version has another address.
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
   * Answers with a file, or with 304 where the client has it already.
   *
   * @returns `undefined` where it is not one of its files
   */
  async answer(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const folder = await this.address();
    if (!pathname.startsWith(folder)) return undefined;
    const name = pathname.slice(folder.length);
    const { assets } = await this.#load();
    return assets.get(name)?.answer(request);
  }

  async #load(): Promise<AssetSet> {
    this.#loaded ??= this.#read().then((texts) => ({
      assets: new Map(
        Object.entries(texts).map(([name, text]) => [name, new Asset(text, mediaTypeOf(name))]),
      ),
      hash: sha256(JSON.stringify(texts)).slice(0, HASH_LENGTH),
    }));
    return await this.#loaded;
  }
}
