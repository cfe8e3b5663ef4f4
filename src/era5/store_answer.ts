import { hashFile } from "../disk/hashes.ts";
import type { PartFile } from "../client/orders/part_file.ts";
import type { ClimateHours } from "./climate_hours.ts";
import { findFitting } from "./find_fitting.ts";
import { type Block, findSettledEnd } from "./months.ts";
import type { Session } from "./session.ts";
import type { StoredFile } from "./month_table.ts";

/**
 * Stores the months of an answer that are what was asked for. The caller has the lock of the service.
 *
 * @param part The answer, which is moved
 * @throws {MisfitError} If other months are not what was asked for
 */
export async function storeAnswer(
  { stored, gaps, progress }: Session,
  block: Block,
  hours: ClimateHours[],
  file: Omit<StoredFile, "sha256">,
  part: PartFile,
): Promise<void> {
  const { fitting, misfit } = findFitting(hours, block, findSettledEnd(file.askedAt), gaps);
  if (fitting.length === 0) await part.remove();
  else await stored.store(fitting, { ...file, sha256: await hashFile(part.path) }, hours, part);
  progress.advance(fitting.length / block.points.length);
  if (misfit) throw misfit;
}
