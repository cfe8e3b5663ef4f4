/**
 * The questions: fields of the site file, each with an option of the same name. The schema of site files supplies the texts
 * of the questions, the allowed answers, and the messages for wrong ones.
 *
 * @module
 */
import { z } from "zod";
import { listClimateUnits, siteFields } from "../../sites/mod.ts";
import { joinNames } from "../../show/text/numbers.ts";

/** A field of a question. */
export interface Field {
  /** Its name, also of the option. */
  readonly name: string;
  /** Name of its value in the help, such as `NUMBER`. */
  readonly value: string;
  /** The question; the help shows the same text. */
  readonly about: string;
  /** Schema of valid values. */
  readonly schema: z.ZodType;
  /** Allowed codes; empty for other values. */
  readonly choices: readonly string[];
  /** Whether it takes several answers. */
  readonly several: boolean;
  /** Converts answers to a value, if the schema alone cannot. */
  readonly read?: (answers: readonly string[]) => unknown;
}

/** Notation of an empty text. */
const EMPTY = '""';

/** The answer that omits a field. */
export const NONE = "none";

/** Most characters of codes in the name of a value. */
const MAX_LISTED = 25;

const PLAIN_NUMBER = /^[+-]?\d+(?:\.\d+)?$/;

/** The schema of a value without wrappers, and its description. */
function unwrap(schema: z.ZodType): { inner: z.ZodType; about: string } {
  const { innerType } = schema.def as { innerType?: z.ZodType };
  const { inner, about } = innerType ? unwrap(innerType) : { inner: schema, about: "" };
  return { inner, about: schema.description ?? about };
}

function field(name: string, schema: z.ZodType, overrides: Partial<Field> = {}): Field {
  const { inner, about } = unwrap(schema);
  const choices = inner instanceof z.ZodEnum || inner instanceof z.ZodLiteral
    ? [...inner instanceof z.ZodEnum ? inner.options : inner.values].map(String)
    : [];
  const listed = choices.join("|");
  const plain = choices.length > 0 && /^[\w.|-]+$/.test(listed);
  const value = plain && listed.length <= MAX_LISTED
    ? listed
    : inner instanceof z.ZodNumber
    ? "NUMBER"
    : "TEXT";
  const several = schema.safeParse(["a", "b"]).success;
  const more = plain && listed.length > MAX_LISTED && !choices.every((one) => about.includes(one))
    ? `: ${joinNames(choices, Infinity, "or")}`
    : "";
  const words = about && about[0].toUpperCase() + about.slice(1) + more;
  return { name, value, about: words, schema, choices, several, ...overrides };
}

/** Reads an angle of degrees, minutes and seconds; NaN if it is not one, or has the letter of another axis. */
function readAngle(text: string, [positive, negative]: string): number {
  const letter = /[NSEW]/i.exec(text)?.[0].toUpperCase() ?? positive;
  const parts = text.replaceAll(/[NSEW°º'′’"″”\s]|deg/gi, " ").replaceAll(",", ".").trim().split(
    /\s+/,
  );
  const [degrees, minutes = 0, seconds = 0] = parts.map((part) => part === "" ? NaN : Number(part));
  if (letter !== positive && letter !== negative || minutes >= 60 || seconds >= 60) return NaN;
  const angle = Number((degrees + minutes / 60 + seconds / 3600).toFixed(7));
  return letter === negative && angle !== 0 ? -angle : angle;
}

/** A place in an answer. */
export interface Position {
  /** Latitude, deg. */
  readonly latitude: number;
  /** Longitude, deg. */
  readonly longitude: number;
}

/** Reads latitude and longitude in the notations of maps: "52.4, -0.95", "48° 27' N 5° 35' W", "52,4; -0,95". */
export function readPosition([answer]: readonly string[]): Position | string {
  for (const between of [/;\s*/, /,\s+/, /,/, /(?<=[NS])\s+/i, /\s+/]) {
    const parts = answer.trim().split(between);
    if (parts.length !== 2) continue;
    const [latitude, longitude] = [
      readAngle(parts[0], "NS"),
      readAngle(parts[1], "EW"),
    ];
    if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) return { latitude, longitude };
  }
  return answer;
}

const { turbine, production, climate, source, dataset, shear } = siteFields;

const position = (name: string, of: string) =>
  field(
    name,
    z.object({ latitude: turbine.latitude, longitude: turbine.longitude }, {
      error: ({ input }) =>
        `"${input}" is not a latitude from -90 to 90 and a longitude from -180 to 180 degrees. ` +
        `Write them as 48.45, -5.59 or 48° 27' N, 5° 35' W`,
    }).describe(`Latitude and longitude of ${of}, as 48.45, -5.59 or 48° 27' N, 5° 35' W`),
    { value: "LAT,LON", read: readPosition },
  );

/** The time zone of a city, such as Europe/Paris for Paris; other answers stay unchanged. */
export function findZone([answer]: readonly string[]): string {
  const city = `/${answer.toLowerCase().replaceAll(" ", "_")}`;
  return Intl.supportedValuesOf("timeZone").find((zone) => zone.toLowerCase().endsWith(city)) ??
    answer;
}

const zone = { value: "ZONE", read: findZone } as const;
const file = { value: "FILE" } as const;

/** Questions about the place. */
export const placeFields = {
  name: field("name", turbine.name.describe("name of the site")),
  position: position("position", "the turbine"),
  elevation: field("elevation", turbine.elevation),
  time_zone: field(
    "time-zone",
    turbine.time_zone.describe("time zone of the site; its months begin at midnight there"),
    zone,
  ),
} as const;

const define = (name: keyof typeof production, reading: Partial<Field> = {}) =>
  field(`production-${name.replaceAll("_", "-")}`, production[name], reading);

/** Questions about production: fields of its entry in the site file. A site file can declare more. */
export const productionFields = {
  file: field("production", production.file, file),
  preset: define("preset"),
  encoding: define("encoding"),
  sheet: define("sheet"),
  header_rows: define("header_rows"),
  time: define("time"),
  column: define("column"),
  turbine: define("turbine"),
  turbines: define("turbines"),
  resolution: define("resolution"),
  unit: define("unit"),
  decimal: define("decimal"),
  thousands: define("thousands"),
  time_format: define("time_format"),
  time_zone: define("time_zone", zone),
  stamp: define("stamp"),
  leave_out: define("leave_out", { read: (texts) => texts.map((one) => one === EMPTY ? "" : one) }),
  null_values: define("null_values"),
  counter: define("counter", { read: ([a]) => PLAIN_NUMBER.test(a) ? { rollover: Number(a) } : a }),
} as const;

/** Reads climate variables such as wind_speed_100=ws100 m/s, one per answer or several with commas between them. */
function readVariables(
  answers: readonly string[],
): Record<string, { column: string; unit?: string }> {
  return Object.fromEntries(
    answers.flatMap((answer) => answer.split(/,\s*(?=\w+=)/)).map((answer) => {
      const [, variable = answer, rest = ""] = /^([^=]*)=(.*)$/.exec(answer.trim()) ?? [];
      const unit = listClimateUnits(variable).find((one) => rest.endsWith(` ${one}`));
      return [
        variable,
        unit ? { column: rest.slice(0, -unit.length - 1), unit } : { column: rest },
      ];
    }),
  );
}

/** Questions about the climate. */
export const climateFields = {
  files: field(
    "climate",
    climate.files.describe(
      "reanalysis data: a file, a folder, or a pattern like era5/*.nc; to fetch ERA5, cds (Copernicus, " +
        "needs a free key) or open-meteo (no key, not for commercial use)",
    ),
    file,
  ),
  from: field("climate-from", source.from),
  points: field("climate-points", source.points),
  time: field("climate-time", turbine.name.describe("timestamp column of the climate data")),
  time_zone: field(
    "climate-time-zone",
    turbine.time_zone.describe("time zone of the climate data"),
    zone,
  ),
  variables: field("climate-variables", climate.variables, {
    value: "NAME=COLUMN UNIT",
    several: true,
    read: readVariables,
  }),
  position: position("climate-position", "the point of the climate data"),
  stamp: field("climate-stamp", climate.stamp),
  dataset: field("dataset", dataset.service_id),
  shear: field("shear", shear),
} as const;

/** Questions about the turbine. */
export const turbineFields = {
  power_curve: field(
    "power-curve",
    turbine.name.describe(
      'power curve: a CSV file with wind_speed (m/s) and power (kW), a WAsP .wtg file, or "none"',
    ).optional(),
    file,
  ),
  rated_power: field("rated-power", turbine.rated_power),
  rotor_diameter: field("rotor-diameter", turbine.rotor_diameter),
  hub_height: field("hub-height", turbine.hub_height),
  power_control: field("power-control", turbine.power_control),
  units: field("units", turbine.units),
} as const;

/** Folder for the site file and the chart. */
export const folderField: Field = field(
  "to",
  z.string().min(1).describe("folder for the site file and the chart, created if missing"),
  { value: "DIR" },
);

/** All fields, in the order of the screen. */
export const allFields: readonly Field[] = [
  ...[placeFields, productionFields, climateFields, turbineFields]
    .flatMap((some) => Object.values<Field>(some)),
  folderField,
];

/** Reads answers as the value of a field, or describes the fault; `null` is an omitted field. */
export function readAnswers(
  { name, schema, several, read }: Field,
  answers: readonly string[],
): { readonly value: unknown } | { readonly problem: string } {
  if (answers.length > 1 && !several) {
    return { problem: `Got ${answers.length} answers. Give one` };
  }
  if (answers[0] === NONE && schema.safeParse(undefined).success) return { value: null };
  const numbers = answers.map((answer) => PLAIN_NUMBER.test(answer) ? Number(answer) : answer);
  const pairs = answers.every((answer) => /^[^=]+=/.test(answer))
    ? [Object.fromEntries(answers.map((answer) => {
      const [name, value] = answer.split(/=(.*)/s);
      return [name, PLAIN_NUMBER.test(value) ? Number(value) : value];
    }))]
    : [];
  const one = answers.length === 1 ? [numbers[0], answers[0]] : [];
  const truth = answers[0] === "true" || answers[0] === "false" ? [answers[0] === "true"] : [];
  const parsed = read ? [read(answers)] : [];
  const tried = [...parsed, ...truth, ...one, numbers, answers, ...pairs];
  for (const value of tried) if (schema.safeParse(value).success) return { value };
  const { error } = schema.safeParse(tried[0], { reportInput: true });
  const [{ message, path }] = error!.issues;
  const [key] = path; // name of a variable or a turbine
  return { problem: typeof key === "string" ? `"${key}" ${message}` : `${name} ${message}` };
}

/** Formats a value as answers. */
export function formatValue(value: unknown): string[] {
  if (value === null || value === undefined) return [NONE];
  if (Array.isArray(value)) return value.map((one) => one === "" ? EMPTY : String(one));
  if (typeof value !== "object") return [String(value)];
  if ("latitude" in value && "longitude" in value) return [`${value.latitude}, ${value.longitude}`];
  return Object.entries(value).map(([name, one]) =>
    typeof one === "object" && one !== null
      ? `${name}=${Object.values(one).join(" ")}`
      : `${name}=${one}`
  );
}
