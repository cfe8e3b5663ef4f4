/**
 * Runs `update` in this process, so tests can set the time and inspect the changes.
 *
 * @module
 */
import { runCommand } from "../../../src/cli/command/run_command.ts";
import { buildUpdate } from "../../../src/cli/update/update.ts";
import { era5 } from "../../../src/era5/era5.ts";
import type { FetchEra5 } from "../../../src/sites/climate/fetch_reanalyses.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import type { StoredMonth } from "../../../src/sites/keep/site_record.ts";
import { captureOutput } from "../_command.ts";
import type { TaskOutput } from "../_task.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

/**
 * Runs it with its arguments, and returns its output.
 *
 * @param fetch Gets climate from its source
 */
export async function runUpdate(
  words: readonly string[],
  fetch: FetchEra5 = era5,
): Promise<TaskOutput> {
  const head = { name: "update", purpose: "" };
  return await captureOutput(() => runCommand(head, buildUpdate(fetch), words));
}

/** The latest figures of the turbine. */
export async function readMonths(data: string): Promise<StoredMonth[]> {
  const { store } = await openStorage(data);
  try {
    return await sitesOf(store).months("E1");
  } finally {
    await store.close();
  }
}

/** The served figures of a month without the revision number and the interval, which may be drawn again. */
export function pickFigures(
  {
    revision: _,
    edition: __,
    predicted_production_low: _l,
    predicted_production_high: _h,
    ...figures
  }: StoredMonth,
) {
  return figures;
}

/** Copies a folder with its content, readable only by its owner. */
export async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to, { recursive: true, mode: 0o700 });
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
