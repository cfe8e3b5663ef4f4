import { ArgumentError } from "../../api/errors.ts";
import { isSameZone, resolveTimeZone } from "../../time/zones.ts";
import type { PreambleLabels } from "./presets.ts";

/** Bytes to search for lines above a table. */
const PREAMBLE_BYTES = 8192;

/** Facts that the preamble of a file states. */
export interface PreambleFacts {
  /** Name of the turbine; `undefined` if the preamble has none. */
  readonly turbine: string | undefined;
  /** IANA zone of the stamps; the caller's if the preamble names none. */
  readonly timeZone: string;
  /** Content of the preamble that is not used, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads the lines `# Label: value` above a table.
 *
 * @param givenZone IANA zone that the caller gives, if any
 * @throws {ArgumentError} If no zone is known, or the preamble names another zone than the caller
 */
export function readPreamble(
  bytes: Uint8Array,
  file: string,
  labels: PreambleLabels,
  givenZone: string | undefined,
): PreambleFacts {
  const lines = new TextDecoder().decode(bytes.subarray(0, PREAMBLE_BYTES)).split(/\r?\n/);
  const find = (label: string) =>
    lines.map((line) => /^"?#\s*([^:,]+):\s*(.*?)[",]*$/.exec(line))
      .find((match) => match?.[1].trim().toLowerCase() === label.toLowerCase())?.[2].trim() ||
    undefined;
  const stated = find(labels.timeZone);
  const statedZone = stated === undefined ? undefined : resolveTimeZone(stated);
  const timeZone = statedZone ?? givenZone;
  if (timeZone === undefined) {
    throw new ArgumentError(
      `Cannot read ${file}: ` +
        (stated === undefined
          ? `the line "# ${labels.timeZone}: …" is missing above its table`
          : `its ${labels.timeZone.toLowerCase()} ${JSON.stringify(stated)} is unknown`) +
        '. Give "time_zone", such as "UTC" or "Europe/London"',
      { code: "time_zone", field: "time_zone", value: stated },
    );
  }
  if (givenZone !== undefined && !isSameZone(givenZone, timeZone)) {
    throw new ArgumentError(
      `Cannot read ${file}: its header says that the timestamps are in ${timeZone}, but "time_zone" is "${givenZone}". ` +
        'Omit "time_zone"',
      { code: "time_zone", field: "time_zone", value: stated },
    );
  }
  const notes = stated === undefined || statedZone !== undefined ? [] : [
    `${labels.timeZone} ${
      JSON.stringify(stated)
    } is unknown, so the declared time zone ${timeZone} is used`,
  ];
  return { turbine: find(labels.turbine), timeZone, notes };
}
