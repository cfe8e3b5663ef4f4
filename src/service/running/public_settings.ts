import { ConfigurationError } from "../../api/errors.ts";
import { CONTROL_CHARACTERS } from "../../api/operations/parameter.ts";

/** Longest text that names whom to contact, characters. */
const MAX_CONTACT_LENGTH = 200;

const controlCharacter = new RegExp(`[${CONTROL_CHARACTERS}]`);

/** Public address and contact of a service. */
export interface PublicSettings {
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
  const problem = (what: string) =>
    new ConfigurationError(
      `Cannot serve under the public address "${publicUrl}": ${what}. ` +
        "Give one such as https://wind.example.org",
    );
  const url = URL.parse(publicUrl);
  if (!url) throw problem("it is not a URL");
  if (!["http:", "https:"].includes(url.protocol)) throw problem(`it begins with ${url.protocol}`);
  if (url.username || url.password) {
    // The message does not contain the address, which has a password.
    throw new ConfigurationError("Cannot serve under a public address with a user in it");
  }
  if (url.search || url.hash) throw problem("it has a query or a fragment");
  return url.origin + url.pathname.replace(/\/+$/, "");
}

function checkContact(contact: string): string {
  if (contact.trim() && contact.length <= MAX_CONTACT_LENGTH && !controlCharacter.test(contact)) {
    return contact;
  }
  throw new ConfigurationError(
    `Cannot name that contact: it must be a line of 1 to ${MAX_CONTACT_LENGTH} characters`,
  );
}
