import type { JsonValue } from "@std/jsonc";
import type { JobParameters, Jobs, JobTask } from "../../storage/jobs/job.ts";
import type { Storage } from "../../storage/storage.ts";
import type { ExportName, ExportTable, ExportTarget } from "./export_table.ts";
import { exportTables } from "./export_tables.ts";
import { hashLayout, type WrittenGroup, writtenSchema } from "./manifest.ts";
import { openTarget } from "./open_target.ts";
import { writeGroup } from "./write_group.ts";

/**
 * Writes the files of a group of turbines, as a job.
 *
 * @param task Receives the number of turbines read
 * @returns The entry for the manifest
 * @throws {ConfigurationError} If this machine cannot open the object store
 * @throws {Error} If the export has another version of the program
 */
export async function exportGroup(
  storage: Storage,
  { to, what, layout, ids }: JobParameters["export_group"],
  task: Pick<JobTask, "report">,
): Promise<JsonValue> {
  const table = exportTables[what as ExportName];
  if (layout !== hashLayout(table)) { // the manifest would describe its files wrongly
    throw new Error(
      `Cannot export ${what}: this worker and the export run different versions of the program. ` +
        "Run the same version on all machines",
    );
  }
  using target = await openTarget(to);
  const present = await target.list(table.name);
  let read = 0;
  const progress = {
    advance: (turbines = 1) => task.report(read += turbines),
    say: () => task.report(read), // keeps the job from counting as silent while it writes
  };
  return await writeGroup({ storage, table, target, present, progress }, ids) as JsonValue;
}

/**
 * Writes a group by a job of the queue.
 *
 * @param advance Called with the number of further turbines read: negative if another worker starts over
 */
export async function exportByJob(
  jobs: Jobs,
  target: ExportTarget,
  table: ExportTable,
  group: Pick<JobParameters["export_group"], "ids" | "fingerprint">,
  advance: (turbines: number) => void,
): Promise<WrittenGroup> {
  let read = 0;
  const advanceTo = (turbines: number) => {
    advance(turbines - read);
    read = turbines;
  };
  const place = { to: target.address, what: table.name, layout: hashLayout(table) };
  const written = await jobs.run(
    { kind: "export_group", parameters: { ...place, ...group }, turn: "", urgent: false },
    { onProgress: (turbines) => advanceTo(Number(turbines)) },
  );
  advanceTo(group.ids.length);
  return writtenSchema.parse(written);
}
