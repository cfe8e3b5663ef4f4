import type { ClimateParameters } from "../../api/operations/climate_data.ts";
import { sha256 } from "../../disk/hashes.ts";
import type { Files, StoredFile } from "../../storage/files/files.ts";
import type { StoredPoint } from "../../sites/keep/site_record.ts";
import type { Sites } from "../../sites/keep/sites.ts";
import { deliverClimate, findPoint } from "./climate_delivery.ts";

/** How long a file serves further downloads, ms. Orphans are removed an hour later, when no request is about to open them. */
const LIFETIME = 23 * 3_600_000;

/**
 * Name of the note that holds the name of a request's built file. It begins with the name of the series, so both are
 * removed together.
 */
function nameNote(point: StoredPoint, request: ClimateParameters): string {
  const { latitude, longitude, elevation, stamp } = point;
  const { service_id, start_year, end_year, filetype } = request;
  const place = [latitude, longitude, elevation, stamp];
  const built = [service_id, ...place, start_year, end_year, filetype];
  return `${point.file}.${sha256(JSON.stringify(built)).slice(0, 32)}.built`;
}

/**
 * Content of a note: the file's name and a hash of both names, so another request's note is not mistaken for this one.
 */
function formatNote(note: string, file: string): string {
  return `${file} ${sha256(`${note} ${file}`)}`;
}

/**
 * Finds the file of a direct download that was built within the last hours and is still stored.
 *
 * @returns `undefined` if it must be built
 */
export async function findDownload(
  files: Files,
  point: StoredPoint,
  request: ClimateParameters,
): Promise<StoredFile | undefined> {
  const note = await files.find(nameNote(point, request), { content: true });
  if (!note || Date.now() - note.stored >= LIFETIME) return undefined;
  const text = new TextDecoder().decode(await note.bytes());
  const [name] = text.split(" ");
  return text === formatNote(note.name, name) ? await files.findSound(name) : undefined;
}

/**
 * Builds the file of a direct download, and notes its name.
 *
 * @throws {Refusal} If there is no data for it
 */
export async function buildDownload(
  sites: Sites,
  files: Files,
  request: ClimateParameters,
): Promise<void> {
  const point = await findPoint(sites, request);
  const { extension, bytes } = await deliverClimate(files, point, request);
  const name = nameNote(point, request);
  const note = formatNote(name, await files.put(bytes, extension));
  await files.write(name, new TextEncoder().encode(note));
}
