import pl, { type DataFrame } from "nodejs-polars";
import { refuseFile } from "../refuse_file.ts";
import { shortenText } from "../../show/text/plain_text.ts";
import { dtypeName } from "../dtype.ts";
import { checkArrow } from "./check_arrow.ts";
import { checkParquet } from "./check_parquet.ts";
import { BoundsError } from "./table_size.ts";

/** Kinds of files with typed columns. */
export type FrameFile = "parquet" | "arrow";

/** First bytes of such files. */
const signatures: Readonly<Record<string, FrameFile>> = { PAR1: "parquet", ARRO: "arrow" };

/** Kind of a file by its first bytes; `undefined` if it is neither Parquet nor Arrow. */
export function detectFrameFile(bytes: Uint8Array): FrameFile | undefined {
  return signatures[String.fromCharCode(...bytes.subarray(0, 4))];
}

/**
 * Reads the frame of a Parquet or Arrow file.
 *
 * @throws {DataFormatError} If it is damaged, or beyond the bounds of readers
 */
export function readFrameFile(bytes: Uint8Array, file: string, kind: FrameFile): DataFrame {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (kind === "parquet") checkParquet(bytes);
    else checkArrow(bytes);
    const frame = kind === "parquet" ? pl.readParquet(buffer) : pl.readIPC(buffer);
    assertWhole(frame);
    return frame;
  } catch (cause) {
    const [found] = (cause as Error).message.split("\n");
    const name = kind === "parquet" ? "Parquet" : "Arrow";
    const isWhole = cause instanceof BoundsError;
    const problem = isWhole ? found : `it is not a complete ${name} file (${found})`;
    return refuseFile(file, problem, { hint: "Write it again", cause });
  }
}

/** Refuses columns of another length or an unknown type, which the library passes on and fails at later. */
function assertWhole(frame: DataFrame): void {
  for (const series of frame.getColumns()) {
    const what = `column "${shortenText(series.name)}"`;
    if (series.length !== frame.height) {
      throw new RangeError(`${what} has ${series.length} rows, not ${frame.height}`);
    }
    try {
      dtypeName(series.dtype);
    } catch (cause) {
      throw new BoundsError(`${what} is of a type that cannot be read`, { cause });
    }
  }
}
