import {
  declareOptions,
  type FilledOptions,
  type OptionTable,
} from "../../show/options/read_options.ts";
import { ArgumentError, ConfigurationError } from "../../api/errors.ts";
import { type Environment, homeFolder } from "../../disk/home.ts";
import { readOrigin } from "../http/address.ts";
import type { RequestEvent, Timeouts } from "../http/transport.ts";
import { MAX_DOWNLOAD, parseJson } from "../http/body.ts";
import { CUSTOM_INSPECT } from "../../show/jupyter.ts";

/** Fields of the config file. */
interface ConfigFile {
  /** Address of the service. */
  readonly url?: string;
  /** API key. */
  readonly key?: string;
  /** Directory of your own data. */
  readonly data?: string;
}

/** Path of the config file in a home folder. */
export function configPath(home: string = homeFolder()): string {
  return `${home}/config.json`;
}

/**
 * Reads the config file; a missing file counts as an empty one.
 *
 * @param home The home folder
 * @throws {SyntaxError} If it is a link, or is not a JSON object of texts named url, key, data; the message does not show values
 */
export function readConfigFile(home: string = homeFolder()): ConfigFile {
  const path = configPath(home);
  const refuse = (problem: string): never => {
    throw new SyntaxError(`Cannot read ${path}: ${problem}`);
  };
  let text: string;
  try {
    if (Deno.lstatSync(path).isSymlink) {
      refuse("it is a symbolic link. Replace the link with the file");
    }
    text = Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return {};
    throw error;
  }
  const value = parseJson(text);
  if (value === undefined) {
    refuse('it is not JSON. Write an object such as { "url": "https://host/" }');
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return refuse('it is not a JSON object. Write an object such as { "url": "https://host/" }');
  }
  for (const [name, entry] of Object.entries(value)) {
    if (!["url", "key", "data"].includes(name)) {
      refuse(`it has the unknown field "${name}". Remove this field, or use url, key or data`);
    }
    if (typeof entry !== "string") refuse(`"${name}" is not a text. Put the value in quotes`);
  }
  return value as ConfigFile;
}

/**
 * How the cache of bodies is used: `use` takes stored data that are known to be unchanged, `refresh` fetches everything
 * again and stores it, `only` works offline with what is stored.
 */
export type CacheMode = "use" | "refresh" | "only";

/** How to reach a service; missing settings come from the environment, then from the config file. */
export interface ConnectOptions {
  /** Address of a service (`VINDKIT_URL`). */
  url?: string;
  /** API key (`VINDKIT_KEY`); it is sent only to the address. */
  key?: string | Secret;
  /** Your own data directory (`VINDKIT_DATA`): the service then runs in this process, without a key. */
  data?: string;
  /** The built-in SYNTHETIC sample, whatever environment and config file say. */
  sample?: boolean;
  /** Longest time that a whole call may take, ms. @default {600_000} */
  timeout?: number;
  /** Longest wait for the headers of an answer, ms. @default {60_000} */
  headersTimeout?: number;
  /** Longest wait for the next part of an answer, ms. @default {30_000} */
  idleTimeout?: number;
  /** Most requests under way at the same time; the number adapts to what the service accepts. @default {16} */
  concurrency?: number;
  /** Further origins from which files may be downloaded, without the key: `https://files.example`. */
  downloadOrigins?: readonly string[];
  /** Largest accepted answer or file, bytes; a larger one is refused and removed. @default {1_000_000_000} */
  maxDownload?: number;
  /** How the cache of bodies is used. @default not at all */
  cache?: CacheMode;
  /** Folder of cache, ledger of orders and downloads. @default VINDKIT_HOME, else `~/.vindkit` */
  home?: string;
  /** Whether long calls show their progress. @default in a terminal or notebook */
  progress?: boolean;
  /** Called for each try of a request; its event contains no secrets. */
  onRequest?: (event: RequestEvent) => void | Promise<void>;
}

/** The options of {@linkcode ConnectOptions}. */
export const connectOptions: OptionTable<ConnectOptions, Filled> = declareOptions<ConnectOptions>()(
  "url key data sample downloadOrigins cache home progress onRequest",
  {
    timeout: 600_000,
    headersTimeout: 60_000,
    idleTimeout: 30_000,
    concurrency: 16,
    maxDownload: MAX_DOWNLOAD,
  },
);

type Filled = "timeout" | "headersTimeout" | "idleTimeout" | "concurrency" | "maxDownload";

type Shared = Readonly<
  Required<
    Pick<ConnectOptions, "concurrency" | "downloadOrigins" | "maxDownload" | "home" | "progress">
  >
>;

/** Settings of a connection, defaults applied. */
export interface Settings extends Shared {
  /** World that the settings open. */
  readonly target:
    | { readonly kind: "live"; readonly url: string; readonly key: Secret | undefined }
    | { readonly kind: "own"; readonly data: string }
    | { readonly kind: "sample" };
  /** Longest waits. */
  readonly timeouts: Timeouts;
  /** How the cache is used. */
  readonly cache: CacheMode | undefined;
  /** Called for each try of a request. */
  readonly onRequest: ConnectOptions["onRequest"];
}

function listSources(options: ConnectOptions, environment: Environment) {
  const file = () => {
    try {
      return readConfigFile(homeFolder(environment));
    } catch (cause) {
      throw new ConfigurationError((cause as Error).message, { cause });
    }
  };
  const { url, key, data } = options;
  const variable = (name: string) => environment.get(name) || undefined;
  const sources = [
    { name: "the call to connect()", url, key, data },
    {
      name: "the environment",
      url: variable("VINDKIT_URL"),
      key: variable("VINDKIT_KEY"),
      data: variable("VINDKIT_DATA"),
    },
  ];
  const isDecided = sources.some((source) => source.url || source.data);
  return [...sources, { name: "the config file", ...(isDecided ? {} : file()) }];
}

function refuse(problem: string): never {
  throw new ConfigurationError(`Cannot connect: ${problem}`);
}

function readUrl(url: string): string {
  const parsed = URL.parse(url);
  // The value is not shown, since it may be the key in the wrong place.
  if (!parsed) return refuse("the address is not a URL. Give a URL such as https://host/");
  if (!["https:", "http:"].includes(parsed.protocol)) {
    refuse("the address does not begin with https:// or http://. Give a URL such as https://host/");
  }
  const problem = parsed.username || parsed.password
    ? "the address contains a user name or a password. Give the key as VINDKIT_KEY"
    : parsed.search || parsed.hash
    ? "the address has a query or a fragment. Omit this part"
    : undefined;
  if (problem) {
    throw new ConfigurationError(`Cannot connect to ${parsed.origin}: ${problem}`);
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}

function readKey(key: string | Secret | undefined): Secret | undefined {
  if (key === undefined) return undefined;
  const secret = typeof key === "string" ? new Secret(key) : key;
  // Checked here, since fetch would quote the value in its message.
  if (!isHeaderKey(secret.reveal())) {
    throw new ConfigurationError(
      "Cannot use the key: it is empty, too long, or has a character that an HTTP header cannot have, such as a space. Copy the key again, without spaces or line ends",
    );
  }
  return secret;
}

/** Reads the settings that are the same for all worlds. */
function readOtherSettings(
  options: FilledOptions<ConnectOptions, Filled>,
  environment: Environment,
): Omit<Settings, "target"> {
  const { timeout, headersTimeout, idleTimeout, concurrency, maxDownload, cache } = options;
  for (const [name, value] of Object.entries({ timeout, headersTimeout, idleTimeout })) {
    if (!(value > 0)) {
      throw new ArgumentError(
        `Cannot connect: ${name} is ${value}, not a positive time in ms. Give such a time, or omit this option`,
      );
    }
  }
  for (const [name, value] of Object.entries({ concurrency, maxDownload })) {
    if (!(Number.isInteger(value) && value >= 1)) {
      throw new ArgumentError(
        `Cannot connect: ${name} is ${value}, not a whole number of at least 1. Give such a number, or omit this option`,
      );
    }
  }
  assertCacheMode(cache);
  return {
    timeouts: { total: timeout, headers: headersTimeout, idle: idleTimeout },
    concurrency,
    downloadOrigins: (options.downloadOrigins ?? []).map(readOrigin),
    maxDownload,
    home: options.home ?? homeFolder(environment),
    cache,
    progress: options.progress ?? true,
    onRequest: options.onRequest,
  };
}

/** @throws {ArgumentError} If the mode is unknown */
export function assertCacheMode(mode: CacheMode | undefined): void {
  if (mode === undefined || ["use", "refresh", "only"].includes(mode)) return;
  throw new ArgumentError(
    `Cannot use the cache as ${
      JSON.stringify(mode)
    }: this mode is unknown. Give "use", "refresh" or "only"`,
  );
}

/**
 * Finds the settings of a connection. The first of arguments, environment and config file that names an address or a
 * data directory decides. A key is used only with the address of its own source or as an argument, so it never goes elsewhere.
 *
 * @throws {ConfigurationError} If the settings contradict each other or are not usable
 */
export function findSettings(
  options: FilledOptions<ConnectOptions, Filled>,
  environment: Environment = Deno.env,
): Settings {
  const otherSettings = readOtherSettings(options, environment);
  if (options.sample) {
    if (options.url || options.key || options.data) {
      refuse("sample excludes url, key and data. Omit sample, or omit the other options");
    }
    return { target: { kind: "sample" }, ...otherSettings };
  }
  for (const source of listSources(options, environment)) {
    const { name, url, key, data } = source;
    if (url && data) {
      refuse(
        `${name} names both an address and a data directory. Omit the address or the directory`,
      );
    }
    if (url) {
      const secret = readKey(options.key ?? key);
      return { target: { kind: "live", url: readUrl(url), key: secret }, ...otherSettings };
    }
    if (data) {
      if (options.key !== undefined || key !== undefined) {
        refuse(
          `${name} names a data directory, which does not need a key. Omit the key, or give url`,
        );
      }
      return { target: { kind: "own", data }, ...otherSettings };
    }
    if (key !== undefined && source.name !== "the call to connect()") {
      refuse(
        `${name} has a key but no address. Set VINDKIT_URL as well. To use the sample, unset the key`,
      );
    }
  }
  if (options.key !== undefined) refuse("the key has no address. Give url as well");
  return { target: { kind: "sample" }, ...otherSettings };
}

/**
 * A text that shows as `***` when it is printed, logged, or put into JSON or a message.
 *
 * @example Only `reveal()` returns the text
 * ```ts
 * import { Secret } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const key = new Secret("k-123");
 * assertEquals(`${key} ${JSON.stringify({ key })}`, '*** {"key":"***"}');
 * assertEquals(key.reveal(), "k-123");
 * ```
 */
export class Secret {
  readonly #value: string;

  /**
   * Wraps a text.
   *
   * @param value The text
   */
  constructor(value: string) {
    this.#value = value;
  }

  /** The text itself. */
  reveal(): string {
    return this.#value;
  }

  /** `***` */
  toString(): string {
    return "***";
  }

  /** `***` */
  toJSON(): string {
    return "***";
  }

  /** `***` */
  [CUSTOM_INSPECT](): string {
    return "***";
  }
}

/** Whether a key can be sent in a header; the runtime would refuse any other key with a message that shows it. */
export function isHeaderKey(text: string): boolean {
  return /^[\x21-\x7e]{1,1000}$/.test(text);
}
