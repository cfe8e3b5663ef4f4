import { ConfigurationError } from "../api/errors.ts";
import { readConfigFile } from "../home/config_file.ts";
import { Secret } from "./secret.ts";

/** How to reach a service; what is not given comes from the environment, then from the config file. */
export interface ConnectOptions {
  /** Address of a service (`VINDKIT_URL`). */
  url?: string;
  /** API key (`VINDKIT_KEY`); it is sent to the address and nowhere else. */
  key?: string | Secret;
  /** Data directory of one's own (`VINDKIT_DATA`): the service then runs in this process, without a key. */
  data?: string;
  /** The built-in SYNTHETIC sample, whatever environment and config file say. */
  sample?: boolean;
  /** Longest time that a whole call may take, ms. @default {600_000} */
  timeout?: number;
  /** Requests under way at the same time in calls for several turbines. @default {4} */
  concurrency?: number;
}

/** Settings of a connection, from one place each. */
export interface Settings {
  /** Which world they open. */
  readonly target:
    | { readonly kind: "live"; readonly url: string; readonly key: Secret | undefined }
    | { readonly kind: "own"; readonly data: string }
    | { readonly kind: "sample" };
  /** Longest time of a whole call, ms. */
  readonly timeout: number;
  /** Requests under way at the same time. */
  readonly concurrency: number;
}

interface Source {
  readonly name: string;
  readonly url: string | undefined;
  readonly key: string | Secret | undefined;
  readonly data: string | undefined;
}

function sources(options: ConnectOptions): Source[] {
  const file = () => {
    try {
      return readConfigFile();
    } catch (cause) {
      throw new ConfigurationError((cause as Error).message, { cause });
    }
  };
  const { url, key, data } = options;
  const environment = (name: string) => Deno.env.get(name) || undefined;
  const fromArguments = { name: "the arguments of connect()", url, key, data };
  const fromEnvironment = {
    name: "the environment",
    url: environment("VINDKIT_URL"),
    key: environment("VINDKIT_KEY"),
    data: environment("VINDKIT_DATA"),
  };
  const given = [fromArguments, fromEnvironment].some((source) => source.url || source.data);
  const { url: fileUrl, key: fileKey, data: fileData } = given ? {} : file();
  return [fromArguments, fromEnvironment, {
    name: "the config file",
    url: fileUrl,
    key: fileKey,
    data: fileData,
  }];
}

function checkedUrl(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new ConfigurationError(`Cannot connect to "${url}": it is no address like https://host/`);
  }
  const problem = !["https:", "http:"].includes(parsed.protocol)
    ? `${parsed.protocol} is neither https: nor http:`
    : parsed.username || parsed.password
    ? "it holds a user name or a password. Give the key as VINDKIT_KEY"
    : parsed.search || parsed.hash
    ? "it has a query or a fragment"
    : undefined;
  if (problem) {
    throw new ConfigurationError(`Cannot connect to ${parsed.origin}: ${problem}`);
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, "")}`;
}

function checkedKey(key: string | Secret | undefined): Secret | undefined {
  if (key === undefined) return undefined;
  const secret = typeof key === "string" ? new Secret(key) : key;
  // fetch would put the value into its message: look first.
  if (!/^[\x21-\x7e]{1,1000}$/.test(secret.reveal())) {
    throw new ConfigurationError(
      "Cannot use the key: it is empty, too long, or has a space, a line end or a character that no header carries",
    );
  }
  return secret;
}

/**
 * Finds the settings of a connection. The first of arguments, environment and config file that names an address or a
 * data directory decides; a key counts only beside its address or as an argument, so that it never goes elsewhere.
 *
 * @throws {ConfigurationError} If the settings contradict each other or are not usable
 */
export function settingsOf(options: ConnectOptions): Settings {
  const { timeout = 600_000, concurrency = 4 } = options;
  const rest = { timeout, concurrency };
  if (options.sample) {
    if (options.url || options.key || options.data) {
      throw new ConfigurationError("Cannot connect: sample goes without url, key and data");
    }
    return { target: { kind: "sample" }, ...rest };
  }
  for (const source of sources(options)) {
    const { name, url, key, data } = source;
    if (url && data) {
      throw new ConfigurationError(
        `Cannot connect: ${name} names both an address and a data directory`,
      );
    }
    if (url) {
      const secret = checkedKey(options.key ?? key);
      return { target: { kind: "live", url: checkedUrl(url), key: secret }, ...rest };
    }
    if (data) {
      if (options.key !== undefined || key !== undefined) {
        throw new ConfigurationError(
          `Cannot connect: ${name} names a data directory, which needs no key. Leave the key out, or give url`,
        );
      }
      return { target: { kind: "own", data }, ...rest };
    }
    if (key !== undefined && source.name !== "the arguments of connect()") {
      throw new ConfigurationError(
        `Cannot connect: ${name} has a key but no address. Set VINDKIT_URL as well, or unset the key to use the sample`,
      );
    }
  }
  if (options.key !== undefined) {
    throw new ConfigurationError("Cannot connect: there is a key but no address. Give url as well");
  }
  return { target: { kind: "sample" }, ...rest };
}
