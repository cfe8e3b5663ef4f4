import { sha256 } from "../../home/sha256.ts";
import { conditional } from "../conditional.ts";
import { taggedText } from "../tagged.ts";
import { securityHeaders } from "./security_headers.ts";

/** Path below which everything lies that pages load. */
export const ASSETS = "/assets";

/** Characters of the hash in an address. */
const HASH_LENGTH = 16;

/** A year: as long as browsers keep anything. */
const FOREVER = "public, max-age=31536000, immutable";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json",
  svg: "image/svg+xml",
};

/** Texts by file name, and the hash of all of them. */
interface Loaded {
  readonly hash: string;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Files that pages load, read at their first use. Their address holds the hash of all of them, so that browsers may
 * keep them for ever and a new version is another address.
 */
export class AssetFolder {
  readonly #name: string;
  readonly #read: () => Promise<Readonly<Record<string, string>>>;
  #loaded: Promise<Loaded> | undefined;

  /**
   * @param name Its name in the address
   * @param read Reads the texts of its files by their names
   */
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
   * @param request What was asked
   * @returns `undefined` where it is none of its files
   */
  async answer(request: Request): Promise<Response | undefined> {
    const { pathname } = new URL(request.url);
    const folder = await this.address();
    if (!pathname.startsWith(folder)) return undefined;
    const name = pathname.slice(folder.length);
    const { texts } = await this.#load();
    if (!Object.hasOwn(texts, name)) return undefined;
    const headers = {
      ...securityHeaders(),
      "content-type": MEDIA_TYPES[name.slice(name.lastIndexOf(".") + 1)],
      "cache-control": FOREVER,
    };
    return await conditional(request, taggedText(texts[name], headers));
  }

  async #load(): Promise<Loaded> {
    this.#loaded ??= this.#read().then((texts) => ({
      texts,
      hash: sha256(JSON.stringify(texts)).slice(0, HASH_LENGTH),
    }));
    return await this.#loaded;
  }
}
