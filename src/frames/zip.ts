import { DataFormatError } from "../api/errors.ts";

/** Most bytes that one member may unfold to: twenty years of hourly data take a hundredth of it. */
export const MAX_MEMBER_BYTES = 1_000_000_000;

/** Whether bytes begin like a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5);
}

/**
 * Makes a zip archive.
 *
 * @param members Contents by name
 */
export async function zip(members: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const { zipSync } = await import("fflate");
  const entries = Object.entries(members).map(([name, bytes]) =>
    // A fixed time keeps the same data the same bytes.
    [name, [bytes, { level: 6, mtime: "2000-01-01T00:00:00" }]] as const
  );
  return zipSync(Object.fromEntries(entries) as never);
}

/**
 * The content of the one member of a zip archive that has such an ending; nothing is ever written by a member's name.
 *
 * @param bytes The archive
 * @param file Its name, for messages
 * @param ending Ending of the member's name, lower case
 * @throws {DataFormatError} If the archive is damaged, or has no such member or several
 */
export async function unzipOne(
  bytes: Uint8Array,
  file: string,
  ending: string,
): Promise<Uint8Array> {
  const { unzipSync } = await import("fflate");
  const names: string[] = [];
  let members: Record<string, Uint8Array>;
  try {
    members = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.push(name);
        if (!name.toLowerCase().endsWith(ending)) return false;
        if (originalSize > MAX_MEMBER_BYTES) {
          throw new Error(`a member unfolds to ${originalSize} bytes`);
        }
        return true;
      },
    });
  } catch (cause) {
    throw new DataFormatError(
      `Cannot unzip ${file}: it is damaged or not allowed (${(cause as Error).message})`,
      { cause },
    );
  }
  const found = Object.values(members);
  if (found.length !== 1) {
    throw new DataFormatError(
      `Cannot unzip ${file}: it has ${found.length} members that end in "${ending}", not one. ` +
        `Its members are ${names.slice(0, 10).map((name) => JSON.stringify(name)).join(", ")}`,
    );
  }
  return found[0];
}
