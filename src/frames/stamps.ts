import pl, { type Expr, type Series } from "nodejs-polars";
import { DataFormatError } from "../api/errors.ts";

/** What {@linkcode parseStamps} needs to know about the texts. */
export interface StampOptions {
  /** Name of the file, for messages. */
  file: string;
  /** Name of the column, for messages. */
  column: string;
  /** Line of the first value, counted from 1, for messages. */
  firstLine: number;
  /** IANA zone of stamps without offset. */
  timeZone?: string;
}

const stampText =
  /^\d{4}-\d{2}-\d{2}(?:(?<separator>[T ])\d{2}:\d{2}(?<seconds>:\d{2}(?<fraction>\.\d+)?)?)?(?<offset>Z|[+-]\d{2}(?::?\d{2})?)?$/;

interface StampForm {
  readonly format: string;
  readonly offset: boolean;
  readonly fraction: boolean;
}

/** The strptime format of an ISO 8601 text, and what it has. */
function formatOf(text: string): StampForm | undefined {
  const groups = stampText.exec(text)?.groups;
  if (!groups) return undefined;
  const { separator, seconds, fraction, offset } = groups;
  const clock = separator ? `${separator}%H:%M${seconds ? ":%S" : ""}${fraction ? "%.f" : ""}` : "";
  // A literal "Z" does not match %z, and is null without a word.
  return {
    format: `%Y-%m-%d${clock}${
      offset === undefined ? "" : offset === "Z" ? "Z" : offset.length === 3 ? "%#z" : "%z"
    }`,
    offset: offset !== undefined,
    fraction: fraction !== undefined,
  };
}

/**
 * Parses stamps of ISO 8601 with or without offset; the first one shows the form of all.
 *
 * @param texts Series of texts
 * @param options Names for messages; zone of stamps without offset
 * @returns Series of `Datetime[us, UTC]`
 * @throws {DataFormatError} If a text is no stamp, or has neither offset nor zone, or its hour does not exist in the zone
 */
export function parseStamps(texts: Series, options: StampOptions): Series {
  const { file, column, firstLine, timeZone } = options;
  const refuse = (row: number, found: string): never => {
    throw new DataFormatError(
      `Cannot read ${file}: line ${firstLine + row}, column "${column}": ${found}`,
    );
  };
  const { name } = texts;
  if (texts.length === 0) {
    return pl.Series(name, [], pl.Int64).cast(pl.Datetime("us", "UTC"));
  }
  const empty = texts.nullCount() > 0 ? nullPosition(texts) : -1;
  if (empty !== -1) refuse(empty, "the stamp is missing");
  const first = String(texts.getIndex(0));
  const form = formatOf(first);
  if (!form) {
    return refuse(
      0,
      `${JSON.stringify(first.slice(0, 60))} is not of the form 2023-05-01T13:00:00`,
    );
  }
  const notLikeFirst = (row: number) => {
    const text = JSON.stringify(String(texts.getIndex(row)).slice(0, 60));
    return refuse(row, `${text} is no time like the first one, ${first}`);
  };
  if (!form.offset && timeZone === undefined) {
    return refuse(
      0,
      `${
        JSON.stringify(first)
      } has no offset from UTC. Name its time zone, "UTC" or one like "Europe/Copenhagen"`,
    );
  }
  const both = pl.DataFrame([texts.rename("text")]).select(
    pl.col("text").str.strptime(pl.Datetime, form.format),
    isAlike("text", form, first.length).alias("alike"),
  );
  const alike = both.getColumn("alike");
  if (!alike.all()) notLikeFirst((alike.toArray() as boolean[]).indexOf(false));
  const parsed = both.getColumn("text").cast(pl.Datetime("us", form.offset ? "UTC" : undefined))
    .rename(name);
  if (parsed.nullCount() > 0) notLikeFirst(nullPosition(parsed));
  return form.offset ? parsed : localise(parsed, timeZone!, refuse);
}

/** Polars drops what follows the format without a word: the length tells; a Z may hide behind a missing digit. */
function isAlike(name: string, form: StampForm, length: number): Expr {
  const text = pl.col(name).str;
  if (form.fraction) {
    const offset = form.offset ? "(Z|[+-][0-9:]+)" : "";
    return text.contains(`^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9:]{8}[.][0-9]+${offset}$`);
  }
  const same = text.lengths().eq(pl.lit(length));
  return form.offset ? same : same.and(text.endsWith("Z").not());
}

function nullPosition(series: Series): number {
  return (series.isNull().toArray() as boolean[]).indexOf(true);
}

/** Local stamps to UTC. A repeated hour that stands there twice is the earlier one first. */
function localise(
  local: Series,
  timeZone: string,
  refuse: (row: number, found: string) => never,
): Series {
  const { name } = local;
  if (timeZone === "UTC") return local.cast(pl.Datetime("us", "UTC"));
  const time = pl.col(name);
  const ambiguous = pl.when(time.isDuplicated().and(time.isFirstDistinct()))
    .then(pl.lit("earliest")).when(time.isDuplicated()).then(pl.lit("latest"))
    .otherwise(pl.lit("null"));
  const zoned = pl.DataFrame([local])
    .select(time.dt.replaceTimeZone(timeZone, ambiguous, "null").dt.convertTimeZone("UTC"))
    .getColumn(name);
  if (zoned.nullCount() > 0) {
    const row = nullPosition(zoned);
    const stamp = pl.DataFrame([local.slice(row, 1)])
      .select(time.dt.strftime("%Y-%m-%d %H:%M")).getColumn(name).getIndex(0);
    refuse(
      row,
      `${stamp} does not exist or stands for two hours in ${timeZone}. Use stamps with offset, or UTC`,
    );
  }
  return zoned;
}
