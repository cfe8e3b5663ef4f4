import { ConfigurationError } from "../../api/errors.ts";
import type { World } from "../../api/world.ts";
import { homePath } from "../../disk/home.ts";
import { createApp } from "../routing/app.ts";
import { type ClientInfo, FAILED_ATTEMPTS } from "../limits/login_throttle.ts";
import { issueLocalKey } from "../licences/licences.ts";
import { formatSignInPath } from "../pages/sign_in.ts";
import { Orders } from "../fulfilment/orders.ts";
import { openJobs } from "./open_jobs.ts";
import type { AnswerRecord } from "../routing/request_log.ts";
import { ConcurrencyLimiter, type RequestLimitsOptions } from "../limits/request_limits.ts";
import { SAMPLE_FOLDER, SampleWorld } from "../../sample/sample_world.ts";
import { openTelemetry } from "./telemetry.ts";
import {
  drawersOf,
  formatStorage,
  formatStorageCommand,
  openStorage,
  type StorageAddress,
  type StorageHandle,
} from "../../storage/storage.ts";
import { resetFailureLog } from "../../storage/failures/failure_log.ts";
import { isPassing } from "../../storage/failures/is_passing.ts";
import {
  declareOptions,
  type FilledOptions,
  readOptions,
} from "../../show/options/read_options.ts";
import { findHidden } from "../../api/error_text.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import { SignInTokens } from "../licences/browser_sign_in.ts";

/** Longest contact, characters. */
const MAX_CONTACT_LENGTH = 200;

/** Public address and contact of a service. */
interface PublicSettings {
  /** Address under which others reach it, without a slash at its end. */
  readonly publicBase?: string;
  /** Whom to contact for a licence. */
  readonly contact?: string;
}

/**
 * Reads and checks the public address and the contact of a service.
 *
 * @param options `publicUrl`: address under which others reach it; `contact`: whom to contact for a licence, such as an
 * e-mail address
 * @throws {ConfigurationError} If the address is not an http or https address or has more than a path, or if the contact is
 * not a short line
 */
export function readPublicSettings(
  { publicUrl, contact }: { publicUrl?: string; contact?: string },
): PublicSettings {
  return {
    ...(publicUrl === undefined ? {} : { publicBase: readPublicBase(publicUrl) }),
    ...(contact === undefined ? {} : { contact: checkContact(contact) }),
  };
}

function readPublicBase(publicUrl: string): string {
  const problem = (reason: string) =>
    new ConfigurationError(
      `Cannot serve under the public address "${publicUrl}": ${reason}. ` +
        "Give an address such as https://wind.example.org",
    );
  const url = URL.parse(publicUrl);
  if (!url) throw problem("it is not a URL");
  if (!["http:", "https:"].includes(url.protocol)) throw problem(`it begins with ${url.protocol}`);
  if (url.username || url.password) {
    // The message does not contain the address, which has a password.
    throw new ConfigurationError(
      "Cannot serve under this public address: it contains a user name or a password. Omit them",
    );
  }
  if (url.search || url.hash) throw problem("it has a query or a fragment");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function checkContact(contact: string): string {
  const hidden = findHidden(contact);
  if (hidden) {
    throw new ConfigurationError(
      `Cannot use this contact: it has ${hidden}. Remove this character`,
    );
  }
  if (contact.trim() && contact.length <= MAX_CONTACT_LENGTH) return contact;
  throw new ConfigurationError(
    `Cannot use this contact: its text is blank or too long. Give 1 to ${MAX_CONTACT_LENGTH} characters, not only spaces`,
  );
}

/** The service in this process: a function from request to response. */
export interface Service {
  /** World of its figures. */
  readonly world: World;
  /** Answers a request; `info` is what `Deno.serve` reports about its client. */
  fetch(request: Request, info?: ClientInfo): Promise<Response>;
  /** Issues a key of the local licence, which covers everything: for the owner of the data directory. */
  issueLocalKey(): Promise<string>;
  /**
   * Issues the path that signs a browser of this machine in with the local licence, once and within ten minutes. It is a
   * secret until it is used; `undefined` if others reach the service through a proxy.
   */
  issueSignInPath(): string | undefined;
  /** Waits for orders and requests of this process under way, and closes the store. */
  close(): Promise<void>;
}

/** Options of {@linkcode openService} and {@linkcode openSample}; `maxRequests` under way, `answerTimeout` in ms. */
export interface OpenServiceOptions extends RequestLimitsOptions {
  /** Answers without a key: for use in the same process. @default {false} */
  trusted?: boolean;
  /**
   * Failed attempts to get access within a minute, of a client or for a serial number, after which more are answered
   * with 429; a known key still works. @default {10}
   */
  failedAttempts?: number;
  /**
   * Address under which others reach the service, such as `https://wind.example.org`: addresses of orders and the
   * OpenAPI document begin with it. @default the address of each request
   */
  publicUrl?: string;
  /**
   * Whether all connections come from a proxy, which adds its client to `X-Forwarded-For`: failed attempts then count for
   * that address. Without a proxy, clients could send any address. @default {false}
   */
  behindProxy?: boolean;
  /** Whom to contact for a licence, such as `sales@example.org`. @default "the provider of this service" */
  contact?: string;
  /** Called with every answer: for a request log. */
  onAnswer?: (answer: AnswerRecord) => void;
  /**
   * Processes that build orders and tables, so requests are answered meanwhile; they need the permission to run Deno.
   * With 0 the thread that answers requests builds them. @default {0}
   */
  workers?: number;
}

/** Interval between checks for orders that another server has abandoned, ms. */
const WATCH_PAUSE = 60_000;

async function buildService(
  address: StorageAddress,
  storage: StorageHandle,
  options: FilledOptions<OpenServiceOptions, "workers">,
  settings: PublicSettings,
  sample?: SampleWorld,
): Promise<Service> {
  const { store, files } = storage;
  const world = await store.world();
  const telemetry = openTelemetry();
  resetFailureLog();
  const limits = new ConcurrencyLimiter(options);
  const proxied = options.behindProxy || settings.publicBase !== undefined;
  const tokens = proxied ? undefined : new SignInTokens();
  const jobs = typeof address === "string"
    ? openJobs(address, storage, options.workers)
    : await drawersOf(address).openJobs();
  const orders = new Orders(store, jobs, telemetry?.countOrder);
  try {
    await orders.resume();
  } catch (error) {
    await orders.close();
    throw error;
  }
  if (typeof address !== "string") orders.watch(WATCH_PAUSE);
  const app = createApp({ store, files, jobs, orders }, {
    ...options,
    ...settings,
    limits,
    ...(tokens ? { tokens } : {}),
    onAnswer: (answer) => {
      options.onAnswer?.(answer);
      telemetry?.countAnswer(answer);
    },
    ...(sample ? { prepare: (...request) => sample.prepare(...request) } : {}),
  });
  /** Answers under way in this process; a server waits for its own. */
  const underWay = new Set<Promise<Response>>();
  return {
    world,
    fetch: (request, info) => {
      const answer = app(request, info);
      if (info?.completed) return answer;
      underWay.add(answer);
      const end = () => void underWay.delete(answer);
      answer.then(end, end);
      return answer;
    },
    issueLocalKey: () => issueLocalKey(store.licences),
    issueSignInPath: () => tokens && formatSignInPath(tokens.issue()),
    close: async () => {
      limits.close();
      await Promise.allSettled(underWay); // a request may be creating the sample
      await orders.close();
      await storage.close();
    },
  };
}

const OPEN_SERVICE_OPTIONS = declareOptions<OpenServiceOptions>()(
  "publicUrl contact onAnswer maxRequests answerTimeout",
  {
    trusted: false,
    failedAttempts: FAILED_ATTEMPTS,
    behindProxy: false,
    workers: 0,
  },
);

/**
 * Opens the service on your own data directory, or on storage that several machines share: then workers of the queue do its jobs.
 *
 * @param data The data directory, or the shared storage, filled by an import
 * @param options Whether a key is needed
 * @throws {ConfigurationError} If there are no data or their database is damaged, or the public address or the contact is not valid
 */
export async function openService(
  data: StorageAddress,
  options: OpenServiceOptions = {},
): Promise<Service> {
  const chosen = readOptions("openService()", options, OPEN_SERVICE_OPTIONS);
  const settings = readPublicSettings(chosen);
  const storage = await openStorage(data);
  const { store } = storage;
  try {
    await store.verify();
    if ((await sitesOf(store).datasets()).length > 0) {
      return await buildService(data, storage, chosen, settings);
    }
    throw new ConfigurationError(
      `Cannot serve ${formatStorage(data)}: it has no imported site. ` +
        `Import one with: ${formatStorageCommand("import SITE.json", data)}`,
    );
  } catch (cause) {
    await storage.close();
    if (!(cause instanceof Error && isPassing(cause))) throw cause;
    throw new ConfigurationError(`Cannot serve ${formatStorage(data)}: ${cause.message}`, {
      cause,
    });
  }
}

const OPEN_SAMPLE_OPTIONS = declareOptions<OpenServiceOptions & { folder?: string }>()(
  "folder",
  {},
  OPEN_SERVICE_OPTIONS,
);

/**
 * Opens the service on the built-in SYNTHETIC sample, which is created site by site as requests need it, and stored.
 *
 * @param options Whether a key is needed; `folder`: where the sample is stored
 * @throws {ConfigurationError} If the public address or the contact is not valid
 */
export async function openSample(
  options: OpenServiceOptions & { folder?: string } = {},
): Promise<Service> {
  const { folder = homePath(SAMPLE_FOLDER), ...rest } = readOptions(
    "openSample()",
    options,
    OPEN_SAMPLE_OPTIONS,
  );
  const settings = readPublicSettings(rest);
  const storage = await openStorage(folder, { create: true, world: "sample" });
  try {
    const sample = new SampleWorld(storage);
    await sample.declare();
    return await buildService(folder, storage, rest, settings, sample);
  } catch (error) {
    await storage.close();
    throw error;
  }
}
