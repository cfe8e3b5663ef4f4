import { ConfigurationError, LicenceError } from "../api/errors.ts";
import type { Environment } from "../disk/home.ts";
import { isHeaderKey, Secret } from "../client/connection/settings.ts";
import { readRoot, type SourceAddress } from "./source_link.ts";

/** Default address of the Climate Data Store. */
export const CDS_URL = "https://cds.climate.copernicus.eu/api";

/** Page that shows the key of an account. */
export const PROFILE = "https://cds.climate.copernicus.eu/profile";

function readRcFile(environment: Environment) {
  const user = environment.get("HOME") ?? environment.get("USERPROFILE") ?? ".";
  const path = environment.get("CDSAPI_RC") || `${user}/.cdsapirc`;
  let text = "";
  try {
    text = Deno.readTextFileSync(path);
  } catch (cause) {
    if (!(cause instanceof Deno.errors.NotFound)) {
      throw new ConfigurationError(
        `Cannot read ${path}: ${
          (cause as Error).message
        }. Make the file readable, or set CDSAPI_URL and CDSAPI_KEY`,
        { cause },
      );
    }
  }
  const field = (name: string) =>
    new RegExp(`^[ \\t]*${name}[ \\t]*:[ \\t]*(\\S.*?)[ \\t\\r]*$`, "m").exec(text)?.[1];
  return { path, url: field("url"), key: field("key") };
}

function readCdsRoot(text: string, where: string): string {
  const root = readRoot(text, where, CDS_URL);
  if (!root.endsWith("/v2")) return root;
  throw new ConfigurationError(
    `Cannot use the address in ${where}: it ends in /v2, the address of the old API, which no ` +
      `longer answers. Give ${CDS_URL}`,
  );
}

function readKey(text: string, from: string): Secret {
  if (text.includes(":")) {
    throw new ConfigurationError(
      `Cannot use the key of the Climate Data Store in ${from}: it has the old form UID:KEY`,
      { hint: `Delete UID and the colon, or use the key shown on ${PROFILE}` },
    );
  }
  if (isHeaderKey(text)) return new Secret(text);
  throw new ConfigurationError(
    `Cannot use the key of the Climate Data Store in ${from}: it has a character that an HTTP header cannot have, such as a space`,
    { hint: `Use the key shown on ${PROFILE}` },
  );
}

/**
 * Finds address and key of the Climate Data Store as its clients do: `CDSAPI_URL` and `CDSAPI_KEY`, then the file
 * `CDSAPI_RC`, else `~/.cdsapirc`.
 *
 * @throws {LicenceError} If there is no key
 * @throws {ConfigurationError} If address or key cannot be used; the message shows neither
 */
export function findCdsAccess(environment: Environment): SourceAddress {
  const isComplete = ["CDSAPI_URL", "CDSAPI_KEY"].every((name) => environment.get(name)?.trim());
  const file = isComplete ? { path: "", url: "", key: "" } : readRcFile(environment);
  const find = (variable: string, field: "url" | "key") => {
    const text = environment.get(variable)?.trim();
    if (text) return { text, from: variable };
    return file[field] ? { text: file[field], from: file.path } : undefined;
  };
  const [url, key] = [find("CDSAPI_URL", "url"), find("CDSAPI_KEY", "key")];
  if (!key) {
    throw new LicenceError("Cannot use the Climate Data Store: its key is missing", {
      hint: `${PROFILE} shows your free key. Set it as CDSAPI_KEY, or write "key: …" into ` +
        `${file.path}. { source: "open-meteo" } needs no key`,
    });
  }
  return {
    url: url ? readCdsRoot(url.text, url.from) : CDS_URL,
    key: readKey(key.text, key.from),
    keyHeader: "PRIVATE-TOKEN",
    read: { url: url?.from ?? `CDSAPI_URL or ${file.path}`, key: key.from },
  };
}
