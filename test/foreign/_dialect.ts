/**
 * Foreign services that follow the API text; each answers with files of this folder.
 *
 * @module
 */
import type { Connection } from "../../src/client/connection/connection.ts";
import { withServer } from "../client/_local_server.ts";

const FILES = new URL("files/", import.meta.url);

/** Compression formats by their header names. */
const packings = { gzip: "gzip", GZIP: "gzip", deflate: "deflate", br: "brotli" } as const;

/** Answer of a foreign service to a path: a file, and special properties. */
export interface ForeignAnswer {
  /** Name of the file. */
  readonly file: string;
  /** Status. @default {200} */
  readonly status?: number;
  /** Headers. @default none, not even a content type */
  readonly headers?: Readonly<Record<string, string>>;
  /** Compression of the body, even if not requested. @default none */
  readonly packing?: keyof typeof packings;
}

/** Answers by the beginning of their paths. */
export type Dialect = Readonly<Record<string, ForeignAnswer | string>>;

/** Reads bytes, because a text body would get a content type. */
async function readBody({ file, packing }: ForeignAnswer): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await Deno.readFile(new URL(file, FILES));
  if (packing === undefined) return bytes;
  const stream = new CompressionStream(packings[packing] as CompressionFormat);
  const packed = ReadableStream.from([bytes]).pipeThrough(stream);
  return await new Response(packed).bytes();
}

/** Runs a test against a service with a dialect; other paths are 404 without a body. */
export async function withDialect(
  dialect: Dialect,
  use: (connection: Connection, url: string) => Promise<void>,
): Promise<void> {
  const answer = async (request: Request) => {
    const { pathname } = new URL(request.url);
    const [, answer] = Object.entries(dialect).find(([path]) => pathname.startsWith(path)) ?? [];
    if (answer === undefined) return new Response(null, { status: 404 });
    const foreign = typeof answer === "string" ? { file: answer } : answer;
    const body = await readBody(foreign);
    return new Response(body, {
      status: foreign.status ?? 200,
      headers: {
        ...foreign.headers,
        ...(foreign.packing ? { "content-encoding": foreign.packing } : {}),
        "content-length": String(body.length),
      },
    });
  };
  await withServer(answer, ({ connection, url }) => use(connection, url));
}

/** Paths of the operations. */
export const paths = {
  turbines: "/wind-index/calibrated/",
  details: "/wind-index/calibrated/details/",
  model: "/wind-index/calibrated/model_data/",
  indices: "/wind-index/calibrated/wind_indices/",
  datasets: "/onlinedata-services/climate/datasets",
  coverage: "/onlinedata-services/climate/coverage/",
  order: "/onlinedata-services/climate/order/",
  download: "/onlinedata-services/climatedownload/",
  reports: "/onlinedata-services/windindex/calibrated/report/",
  key: "/apikey",
} as const;
