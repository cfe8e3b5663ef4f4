import { writeAtomically } from "../../disk/atomic_write.ts";
import { sha256 } from "../../disk/sha256.ts";
import type { Files } from "../files/files.ts";
import type { StoredPoint } from "../store/site_record.ts";
import type { SiteStore } from "../store/store.ts";
import { type ClimateRequest, deliverClimate, findPoint } from "./climate_delivery.ts";

/** How long a file serves further downloads, ms: orphans are removed an hour later, when nobody is about to open it. */
const LIFETIME = 23 * 3_600_000;

/**
 * Path of the note that names the built file of a request. Its name begins with that of the series, so that it is removed with
 * it.
 */
function pathOfNote(files: Files, point: StoredPoint, request: ClimateRequest): string {
  const { latitude, longitude, elevation, stamp } = point;
  const { serviceId, startYear, endYear, fileType } = request;
  const built = [
    serviceId,
    latitude,
    longitude,
    elevation,
    stamp,
    startYear,
    endYear,
    fileType,
  ];
  return files.path(`${point.file}.${sha256(JSON.stringify(built)).slice(0, 32)}.built`);
}

/** The name of a file with a hash of both names, so that the note of another request is none of this one. */
function formatNote(path: string, file: string): string {
  return `${file} ${sha256(`${path.slice(path.lastIndexOf("/") + 1)} ${file}`)}`;
}

/**
 * Finds the file of a direct download that was built within the last hours and is still stored.
 *
 * @param point The point of the request
 * @returns Its name; `undefined` where it must be built
 */
export async function findDownload(
  files: Files,
  point: StoredPoint,
  request: ClimateRequest,
): Promise<string | undefined> {
  try {
    const path = pathOfNote(files, point, request);
    const note = await Deno.readTextFile(path);
    const name = note.split(" ")[0];
    const { mtime } = await Deno.stat(path);
    const isYoung = mtime !== null && Date.now() - mtime.getTime() < LIFETIME;
    const isWhole = note === formatNote(path, name) && await files.isSound(name);
    return isYoung && isWhole ? name : undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/**
 * Builds the file of a direct download, and notes its name.
 *
 * @throws {Refusal} If there is no data for it
 */
export async function buildDownload(
  sites: SiteStore,
  files: Files,
  request: ClimateRequest,
): Promise<void> {
  const point = await findPoint(sites, request);
  const { extension, bytes } = await deliverClimate(files, point, request);
  const path = pathOfNote(files, point, request);
  const note = formatNote(path, await files.put(bytes, extension));
  await writeAtomically(path, new TextEncoder().encode(note));
}
