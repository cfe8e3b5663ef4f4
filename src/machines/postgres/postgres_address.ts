import type { PoolConfig } from "./pg.ts";
import { ConfigurationError } from "../../api/errors.ts";

/** Address of a PostgreSQL database. Missing parts come from PGHOST, PGUSER, PGPASSWORD, .pgpass and the like. */
export interface PostgresAddress {
  /** The address without its password, for messages. */
  readonly safeAddress: string;
  readonly settings: PoolConfig;
}

/** Query parameters that an address may have. */
const PARAMETERS = ["sslmode", "sslrootcert", "host"];

const FORM = "postgres://USER:PASSWORD@HOST:5432/NAME";

/** Whether an address is a PostgreSQL URL rather than a path. */
export function isPostgresAddress(address: string): boolean {
  return /^postgres(ql)?:/i.test(address);
}

/**
 * Reads an address as PostgreSQL's own programs do.
 *
 * @param address `postgres://user:password@host:port/name?sslmode=verify-full&sslrootcert=ca.pem`
 * @throws {ConfigurationError} If it is not such an address, or names an unknown mode
 */
export function parsePostgresAddress(address: string): PostgresAddress {
  const url = URL.parse(address);
  // A password with an unescaped "@", "/", "#" or "?" ends up in other parts, so these must not be shown.
  const parameters = [...url?.searchParams ?? []];
  if (
    !url || !isPostgresAddress(address) || url.hash !== "" || url.pathname.includes("@") ||
    parameters.some(([name]) => !PARAMETERS.includes(name)) ||
    ![url.username, url.password, url.pathname].every(isEscaped)
  ) {
    throw new ConfigurationError(
      `Cannot read the address of the database: it does not have the form ${FORM}, where ` +
        `only ${
          PARAMETERS.join(", ")
        } may follow "?". Escape special characters in its password, for example "@" as %40`,
    );
  }
  const { username, password, hostname, port, pathname } = url;
  url.password = "";
  const options = Object.fromEntries(parameters);
  const settings: PoolConfig = {
    user: decodeURIComponent(username) || undefined,
    password: decodeURIComponent(password) || undefined,
    // a URL cannot name a folder with a socket
    host: options.host ?? (hostname.replace(/^\[(.*)\]$/, "$1") || undefined),
    port: port === "" ? undefined : Number(port),
    database: decodeURIComponent(pathname.slice(1)) || undefined,
    ...readTls(options, url.href),
  };
  return { safeAddress: url.href, settings };
}

/** Whether all special characters of a part are escaped; a lone "%" is not. */
function isEscaped(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Settings of TLS; without a mode PGSSLMODE decides, else there is no TLS. */
function readTls(
  { sslmode, sslrootcert }: Record<string, string>,
  safeAddress: string,
): Pick<PoolConfig, "ssl"> {
  switch (sslmode) {
    case undefined:
      return {};
    case "disable":
      return { ssl: false };
    case "require": // encrypted, without verifying the server
      return { ssl: { rejectUnauthorized: false } };
    case "verify-full":
      return {
        ssl: { rejectUnauthorized: true, ca: sslrootcert && readFile(sslrootcert, safeAddress) },
      };
    default:
      throw new ConfigurationError(
        `Cannot use ${safeAddress}: its sslmode is unknown. Use disable, require or verify-full`,
      );
  }
}

function readFile(path: string, safeAddress: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (cause) {
    throw new ConfigurationError(
      `Cannot use ${safeAddress}: Vindkit cannot read its sslrootcert (${
        (cause as Error).message
      }). ` +
        "Give the path of a PEM file with the certificates to verify the server",
      { cause },
    );
  }
}
