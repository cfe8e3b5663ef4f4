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
export class Asset {
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
