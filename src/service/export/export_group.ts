import type { JsonValue } from "@std/jsonc";
import type { JobParameters, Jobs, JobTask } from "../jobs/job.ts";
import type { Storage } from "../storage.ts";
import type { ExportName } from "./export_table.ts";
import { exportTables } from "./export_tables.ts";
import { type WrittenGroup, writtenSchema } from "./manifest.ts";
import { openTarget } from "./open_target.ts";
import { type GroupWork, writeGroup } from "./write_group.ts";

/**
 * Writes the files of a group of turbines, as a job.
 *
 * @param storage Where the turbines are stored
 * @param group The group, and where to
 * @param task Hears how many turbines are read
 * @returns What the manifest says of them
 * @throws {ConfigurationError} If this machine cannot open the object store
 */
export async function exportGroup(
  storage: Storage,
  { to, what, ids }: JobParameters["export_group"],
  task: Pick<JobTask, "report">,
): Promise<JsonValue> {
  const table = exportTables[what as ExportName];
  using target = await openTarget(to);
  const present = await target.list(table.name);
  let read = 0;
  const progress = {
    advance: (turbines = 1) => task.report(read += turbines),
    say() {}, // the others of the queue write other years
  };
  return await writeGroup({ storage, table, target, present, progress }, ids) as JsonValue;
}

/**
 * Has a job of the queue write a group.
 *
 * @param jobs The queue
 * @param group The group, and where to
 * @param progress Counts the turbines that are read
 */
export async function exportByJob(
  jobs: Jobs,
  group: JobParameters["export_group"],
  progress: GroupWork["progress"],
): Promise<WrittenGroup> {
  let read = 0;
  const hear = (turbines: number) => {
    progress.advance(turbines - read); // fewer where another worker begins it again
    read = turbines;
  };
  const written = await jobs.run(
    { kind: "export_group", parameters: group, turn: "", urgent: false },
    { onProgress: (turbines) => hear(Number(turbines)) },
  );
  hear(group.ids.length);
  return writtenSchema.parse(written);
}
