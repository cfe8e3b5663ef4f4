/** How a command ended, as the exit code of the process; docs/commands.md describes them. */
export type ExitCode = 0 | 1 | 2 | 3 | 75 | 78 | 130 | 143;

/** The exit codes by what they mean, and those of a signal by its name; 75 and 78 are those of sysexits.h. */
export const exitCodes = {
  done: 0,
  failed: 1,
  misused: 2,
  nothingNew: 3,
  tryAgain: 75,
  needsPerson: 78,
  SIGINT: 130,
  SIGTERM: 143,
} as const satisfies Record<string, ExitCode>;
