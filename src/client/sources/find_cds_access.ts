import { ConfigurationError, LicenceError } from "../../api/errors.ts";
import type { Environment } from "../../home/home.ts";
import { Secret } from "../connection/secret.ts";
import { isHeaderKey, readRoot, type SourceAddress } from "./source_link.ts";

/** Address of the Climate Data Store where none is given. */
export const CDS_URL = "https://cds.climate.copernicus.eu/api";

/** Page that shows the key of an account. */
export const PROFILE = "https://cds.climate.copernicus.eu/profile";

function readRcFile(environment: Environment): { path: string; url?: string; key?: string } {
  const user = environment.get("HOME") ?? environment.get("USERPROFILE") ?? ".";
  const path = environment.get("CDSAPI_RC") || `${user}/.cdsapirc`;
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return { path };
    throw new ConfigurationError(`Cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
  const field = (name: string) =>
    new RegExp(`^[ \\t]*${name}[ \\t]*:[ \\t]*(\\S.*?)[ \\t\\r]*$`, "m").exec(text)?.[1];
  const [url, key] = [field("url"), field("key")];
  return { path, ...(url ? { url } : {}), ...(key ? { key } : {}) };
}

function readCdsRoot(text: string, where: string): string {
  const root = readRoot(text, where, CDS_URL);
  if (!root.endsWith("/v2")) return root;
  throw new ConfigurationError(
    `Cannot use the address in ${where}: it ends in /v2, which is the old API and no longer ` +
      `answers. Give ${CDS_URL}`,
  );
}

function readKey(text: string, from: string): Secret {
  if (text.includes(":")) {
    throw new ConfigurationError(
      `Cannot use the key of the Climate Data Store in ${from}: it has the old form UID:KEY`,
      { hint: `Leave out the part up to the colon, or take the key of ${PROFILE}` },
    );
  }
  if (isHeaderKey(text)) return new Secret(text);
  throw new ConfigurationError(
    `Cannot use the key of the Climate Data Store in ${from}: it has a space or a character that ` +
      "a header cannot have",
    { hint: `Take the key of ${PROFILE}` },
  );
}

/**
 * Finds address and key of the Climate Data Store as its own clients do: `CDSAPI_URL` and `CDSAPI_KEY`, then the file
 * `CDSAPI_RC`, else `~/.cdsapirc`.
 *
 * @param environment Variables of the environment
 * @throws {LicenceError} If there is no key
 * @throws {ConfigurationError} If address or key cannot be used; the message shows neither
 */
export function findCdsAccess(environment: Environment): SourceAddress {
  const [url, key] = ["CDSAPI_URL", "CDSAPI_KEY"].map((name) => environment.get(name)?.trim());
  const file = url && key ? undefined : readRcFile(environment);
  const root = url
    ? readCdsRoot(url, "CDSAPI_URL")
    : file?.url
    ? readCdsRoot(file.url, file.path)
    : CDS_URL;
  const secret = key
    ? readKey(key, "CDSAPI_KEY")
    : file?.key
    ? readKey(file.key, file.path)
    : undefined;
  const path = file?.path ?? "~/.cdsapirc";
  const read = {
    url: url ? "CDSAPI_URL" : file?.url ? path : `CDSAPI_URL or ${path}`,
    key: key ? "CDSAPI_KEY" : path,
  };
  if (secret) return { url: root, key: secret, keyHeader: "PRIVATE-TOKEN", read };
  throw new LicenceError("Cannot ask the Climate Data Store: it needs a key, and there is none", {
    hint: `${PROFILE} shows yours, without cost. Set it as CDSAPI_KEY, or write "key: …" into ` +
      `${path}. { source: "open-meteo" } needs no key`,
  });
}
