import { formatGrid, shortenText } from "../../show/text/plain_text.ts";
import type { JobCounts } from "./job_queue.ts";
import { type QueueRow, readEnd } from "./queue_row.ts";

/** States of jobs in the words of an operator. */
const WORDS: Readonly<Record<QueueRow["state"], string>> = {
  created: "waits",
  retry: "waits for a retry",
  active: "runs",
  completed: "done",
  cancelled: "cancelled",
  failed: "dead",
};

const HEADER = ["id", "state", "job", "parameters", "for", "tries", "since"];

/** Shown characters of an identifier, enough to name a job among thousands. */
const SHOWN_ID = 8;

function formatTime(time: Date | null): string {
  return time === null ? "-" : time.toISOString().slice(0, 19) + "Z";
}

function formatOwner({ job }: QueueRow): string {
  return job.turn === "" ? "the service" : job.turn;
}

/** Labels of final errors, which no further try follows. */
const ENDS: Readonly<Record<string, string>> = {
  Refusal: "refused: ",
  ArgumentError: "not valid: ",
};

/** Formats the last report of a job, or how it ended. */
function formatOutput(row: QueueRow): string {
  if (row.progress !== null) return JSON.stringify(row.progress);
  if (row.output === null) return "-";
  const end = readEnd(row.job, row.state === "retry" ? { ...row, state: "failed" } : row);
  if (!end) return "-";
  if ("done" in end) {
    return "done" + (end.answer === undefined ? "" : ` ${JSON.stringify(end.answer)}`);
  }
  return `${ENDS[end.error.name] ?? ""}${end.error.message}`;
}

/** Jobs as a table in plain text, for a terminal, with their numbers below. */
export function jobTable(rows: readonly QueueRow[], counts: JobCounts): string {
  const cells = rows.map((row) => [
    row.id.slice(0, SHOWN_ID),
    WORDS[row.state],
    row.job.kind,
    shortenText(JSON.stringify(row.job.parameters)),
    formatOwner(row),
    String(row.begun),
    formatTime(row.ended ?? row.started ?? row.created),
  ]);
  const { active, waiting, dead } = counts;
  const unlisted = active + waiting + dead - rows.length;
  return `${
    formatGrid([HEADER, ...cells])
  }\n\n${active} running, ${waiting} waiting, ${dead} dead` +
    (unlisted > 0 ? `. The list has the first jobs of each state and omits ${unlisted}` : "");
}

/** All details of a job as plain text, for a terminal. */
export function formatJob(row: QueueRow): string {
  return formatGrid([
    ["id", row.id],
    ["state", WORDS[row.state]],
    ["job", row.job.kind],
    ["parameters", JSON.stringify(row.job.parameters)],
    ["for", formatOwner(row) + (row.job.urgent ? "; a request waits for this job" : "")],
    ["tries", String(row.begun)],
    ["placed", formatTime(row.created)],
    ["last begun", formatTime(row.started)],
    ["ended", formatTime(row.ended)],
    ["says", formatOutput(row)],
  ]);
}
