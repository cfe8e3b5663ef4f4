import pl, { type DataFrame } from "nodejs-polars";
import { declareOptions, type OptionTable } from "../../show/options/read_options.ts";
import { ArgumentError, ConfigurationError, NetworkError } from "../../api/errors.ts";
import { type RangeBound, readYearRange } from "../../show/options/range.ts";
import {
  type CallOptions,
  callOptions,
  type InnerOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { type ClimateFile, readClimateFile } from "../../frames/climate_file.ts";
import { type FileType, fileTypes } from "../../api/operations/climate_data.ts";
import type { Judge } from "../cache/plan.ts";
import { type AnswerValue, obtainFile, type UseFile, useStoredFile } from "../cache/obtain.ts";
import { checkCall, type ParameterValues } from "../../api/operations/request_path.ts";
import { SideFile } from "../../disk/side_file.ts";
import { fetchAnswer } from "../http/fetch_answer.ts";
import { assertWholeFile, isZip } from "../../frames/files/archive.ts";
import { readBeginning } from "../../frames/files/read_file.ts";
import type { Column } from "../../api/columns/column.ts";
import { climateColumnByName, climateTime } from "../../api/columns/climate_columns.ts";
import { coverageList } from "../../api/columns/columns.ts";
import { describeFrame } from "../../frames/origin/provenance.ts";
import { extractEpochs } from "../../frames/frame.ts";
import {
  buildProvenance,
  buildRecordsFrame,
  checkTableForm,
  readZone,
  tableAdvice,
  type TableForm,
  tableForm,
} from "./read_answer.ts";

/** A place on the globe. */
export interface Place {
  /** Latitude, deg, positive north, -90 to 90. */
  latitude: number;
  /** Longitude, deg, positive east, -180 to 180. */
  longitude: number;
}

/** Options of calls for climate data: the place, the years, the format. */
export interface ClimateOptions extends CallOptions, Place, TableForm {
  /** First year. */
  from: RangeBound;
  /** Last year, included. */
  to: RangeBound;
  /** Format on the wire. @default the first of the contract, zipcsv */
  fileType?: FileType;
}

/** The options of {@linkcode ClimateOptions}. */
export const climateOptions: OptionTable<ClimateOptions> = declareOptions<
  ClimateOptions
>()("latitude! longitude! from! to! fileType", {}, tableForm, callOptions);

/** Builds the parameters of an order or a download, by wire name. */
export function buildClimateParameters(dataset: string, options: ClimateOptions): ParameterValues {
  checkTableForm("this function of climate data", options, findClimateColumn, CLIMATE_NAMES);
  const { from, to } = readYearRange(options);
  return {
    service_id: dataset,
    lat: options.latitude,
    lon: options.longitude,
    start_year: from,
    end_year: to,
    filetype: options.fileType ?? fileTypes[0],
  };
}

/** Refuses a file type that makes no frame. */
export function assertFrameType(fileType: FileType | undefined): void {
  if (fileType !== RAW) return;
  throw new ArgumentError(
    "Cannot read zipraw into a frame: only other programs read this format. Use zipcsv, or save the file with saveClimate()",
  );
}

/** The file type that only another program reads. */
export const RAW: FileType = "zipraw";

/** Length of a day, ms. */
const DAY = 86_400_000;

/** Number of months after its last year during which a file may still be revised. */
const SETTLING_MONTHS = 4;

/** A stored file is valid if its last year had ended four months before it was fetched. */
const judgeClimate: Judge = (entry) => {
  const last = Number(entry.parameters.end_year);
  const settled = Temporal.PlainDate.from({ year: last + 1, month: 1, day: 1 })
    .add({ months: SETTLING_MONTHS });
  const fetched = Temporal.Instant.from(entry.fetched_at).toZonedDateTimeISO("UTC").toPlainDate();
  const reuse = Temporal.PlainDate.compare(settled, fetched) <= 0;
  return Promise.resolve(reuse ? { reuse, note: "from the cache" } : { reuse });
};

/** Names that climate data have in frames, for messages. */
const CLIMATE_NAMES = `${climateTime.name}, and variables such as wind_speed_100 or temperature_2`;

function findClimateColumn(name: string): Column | undefined {
  return name === climateTime.name ? climateTime : climateColumnByName(name);
}

/** Makes a reader of climate files with the caller's column names and time zone. */
export function climateReader({ columns, timeZone }: TableForm): UseFile<ClimateFile> {
  const form = { columns, timeZone: readZone(timeZone), advice: tableAdvice };
  return (path, url) => readClimateFile(path, url, form);
}

/** Adds declared columns and provenance to the frame of a climate file. */
export function buildClimateFrame(
  { facts, value }: AnswerValue<ClimateFile>,
  options: CallOptions,
): DataFrame {
  return describeFrame(value.frame, value.columns, buildProvenance(facts, options));
}

/** Checks that a table without a stated length reaches the last day of the requested years that the service has. */
async function assertReachesEnd(
  path: string,
  url: string,
  { service_id, lat, lon, end_year }: ParameterValues,
  options: InnerOptions & TableForm,
): Promise<void> {
  await assertWholeFile(path, url);
  if (isZip(await readBeginning(path))) return; // a truncated archive does not open
  const { frame } = await climateReader(options)(path, url);
  const epochs = extractEpochs(frame, climateTime.name);
  const near = await fetchAnswer(
    resolveConnection(options),
    checkCall("coverage", { service_id, lat, lon }),
    options,
  );
  const [, lastUpdated] = coverageList;
  const last = buildRecordsFrame(near, coverageList).getColumn(lastUpdated.name).cast(pl.Int32)
    .toArray()[0] as number | null;
  const endOfYear = Date.UTC(Number(end_year), 11, 31) / DAY;
  const lastNeeded = Math.min(last ?? endOfYear, endOfYear);
  if (epochs.length > 0 && Math.floor(epochs[epochs.length - 1] / DAY) >= lastNeeded) return;
  throw new NetworkError(
    `Cannot use the file from ${url}: it ends before the last requested day, and the service did not state its length. The download was probably cut off`,
    { operation: "download_climate", url, hint: "Try again later" },
  );
}

/** Passes a climate file, cached or downloaded, to `use`. */
async function obtainClimateFile<T>(
  parameters: ParameterValues,
  options: CallOptions & TableForm,
  use: UseFile<T>,
): Promise<AnswerValue<T>> {
  const assertWhole = (path: string, url: string, deadline: number) =>
    assertReachesEnd(path, url, parameters, { ...options, within: deadline });
  return await obtainFile("download_climate", parameters, options, use, judgeClimate, assertWhole);
}

/** Reads a climate file as a frame, from the cache or downloaded. */
export async function obtainClimateFrame(
  parameters: ParameterValues,
  options: CallOptions & TableForm,
): Promise<DataFrame> {
  const read = climateReader(options);
  return buildClimateFrame(await obtainClimateFile(parameters, options, read), options);
}

/** Copies a climate file to a path, from the cache or downloaded. */
export async function saveClimateFile(
  parameters: ParameterValues,
  path: string,
  options: CallOptions,
): Promise<void> {
  const raw = parameters.filetype === RAW;
  await obtainClimateFile(parameters, options, (from, url) => saveCopy(from, path, url, raw));
}

/** Reads a climate file from the cache; `undefined` if it must be fetched. */
export async function readStoredClimate(
  parameters: ParameterValues,
  options: CallOptions & TableForm,
): Promise<DataFrame | undefined> {
  const id = "download_climate";
  const read = climateReader(options);
  const stored = await useStoredFile(id, parameters, options, read, judgeClimate);
  return stored && buildClimateFrame(stored, options);
}

/** Copies a climate file; the new name appears only when the copy is complete. */
export async function saveCopy(from: string, to: string, url: string, raw: boolean): Promise<void> {
  await assertWholeFile(from, url, raw);
  try {
    await using file = await SideFile.create(to, 0o666); // the usual permissions of the user's files
    for await (const part of (await Deno.open(from)).readable) await file.write(part);
    await file.commit(to);
  } catch (cause) {
    throw new ConfigurationError(`Cannot save ${to}: ${(cause as Error).message}`, {
      cause,
      hint: "Give a path that this program may write to",
    });
  }
}
