import { ConfigurationError } from "../api/errors.ts";
import type { World } from "../api/world.ts";
import { homePath } from "../home/home.ts";
import { createApp } from "./app.ts";
import type { ClientInfo } from "./attempts.ts";
import { type DataDirectory, openDataDirectory } from "./data_directory.ts";
import { issueLocalKey } from "./licences.ts";
import { Orders } from "./orders.ts";
import type { Answered } from "./request_log.ts";
import { SAMPLE_FOLDER, SampleWorld } from "./sample/sample_world.ts";

/** The service in this process: a function from request to response. */
export interface Service {
  /** Where its figures come from. */
  readonly world: World;
  /** Answers a request; `info` is what `Deno.serve` tells about its client. */
  fetch(request: Request, info?: ClientInfo): Promise<Response>;
  /** Issues a key of the local licence, which covers everything: for whoever has the data directory. */
  issueLocalKey(): Promise<string>;
  /** Waits for what is under way and closes the store. */
  close(): Promise<void>;
}

/** Options of {@linkcode openService} and {@linkcode openSample}. */
export interface OpenServiceOptions {
  /** Answers without a key: for use inside of one's own process. @default {false} */
  trusted?: boolean;
  /**
   * Failed attempts to get access within a minute, of a client or for a serial number, after which more are answered
   * with 429; a known key goes on working. @default {10}
   */
  failedAttempts?: number;
  /** Told of every answer: for a request log. */
  onAnswer?: (answered: Answered) => void;
}

async function serviceOf(
  directory: DataDirectory,
  options: OpenServiceOptions,
  sample?: SampleWorld,
): Promise<Service> {
  const { store, files } = directory;
  const orders = new Orders(store, files);
  await orders.resume();
  return {
    world: await store.world(),
    fetch: createApp({ store, files, orders }, {
      ...options,
      ...(sample ? { prepare: (...request) => sample.prepare(...request) } : {}),
    }),
    issueLocalKey: () => issueLocalKey(store),
    close: async () => {
      await orders.close();
      store.close();
    },
  };
}

/**
 * Opens the service on a data directory of one's own.
 *
 * @param data The data directory, filled by an import
 * @param options Whether a key is needed
 * @throws {ConfigurationError} If the directory holds no data
 */
export async function openService(
  data: string,
  options: OpenServiceOptions = {},
): Promise<Service> {
  const directory = openDataDirectory(data);
  if ((await directory.store.datasets()).length === 0) {
    directory.store.close();
    throw new ConfigurationError(
      `Cannot serve ${data}: nothing is imported there. Fill it with: deno task import SITE.json --data ${data}`,
    );
  }
  return await serviceOf(directory, options);
}

/**
 * Opens the service on the built-in SYNTHETIC sample, which is made bit by bit where it is asked for, and kept.
 *
 * @param options Whether a key is needed; `folder`: where the sample is kept
 */
export async function openSample(
  options: OpenServiceOptions & { folder?: string } = {},
): Promise<Service> {
  const { folder = homePath(SAMPLE_FOLDER), ...rest } = options;
  const directory = openDataDirectory(folder, { create: true, world: "sample" });
  const sample = new SampleWorld(directory);
  await sample.declare();
  return await serviceOf(directory, rest, sample);
}
