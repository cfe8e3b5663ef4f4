import { sha256 } from "../../disk/sha256.ts";
import { Asset } from "./asset.ts";

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
