import { z } from "zod";
import { problemWithDate } from "../../api/calendar.ts";
import { ArgumentError } from "../../api/errors.ts";
import { MAX_IDENTIFIER_LENGTH, problemWithIdentifier } from "../../api/operations/parameter.ts";
import {
  MAX_ATTRIBUTION_HEADER,
  MAX_ATTRIBUTION_LENGTH,
  MAX_ATTRIBUTION_LINES,
  MAX_CURVE_POINTS,
  MAX_SITE_TEXT,
} from "../../api/reader_limits.ts";
import { visibleText } from "../../api/visible_text.ts";
import { parseJson } from "../../frames/json.ts";
import { isTimeZone } from "../../time/zones.ts";
import { strictFields } from "../../frames/production/declared_fields.ts";
import { columnsByTurbine } from "../../frames/production/production_series.ts";
import { isClimateVariable, listClimateUnits } from "./climate_variables.ts";
import { productionEntry } from "./production_entry.ts";

/** A text without halves of characters and, apart from line ends, control characters. */
const anyText = z.string().max(MAX_SITE_TEXT).refine(
  (value) => value.isWellFormed() && !/[^\P{Cc}\t\r\n]/u.test(value),
  "has a control character, or half of one",
);
const text = anyText.min(1);

/** An identifier as requests have it, which a person can also see and type. */
const identifier = z.string().superRefine((value, context) => {
  const found = problemWithIdentifier(value) ??
    (value.trim() !== value ? "it begins or ends with a blank" : null) ??
    (visibleText(value) !== value ? "it has a character that is not seen" : null);
  if (found === null) return;
  const shown = JSON.stringify(visibleText(value.slice(0, 60)));
  context.addIssue({
    code: "custom",
    message: `${shown} is not an identifier: ${found}. Give another id`,
  });
});

const path = text.describe("path, from the folder of the site file");

const zone = text.refine(isTimeZone, {
  error: (issue) => `"${issue.input}" is not an IANA time zone. Give one like "Europe/Copenhagen"`,
});

/** A variable of a climate source: its column and unit. */
const variable = strictFields({ column: text, unit: text.optional() });

const climateSource = strictFields({
  files: z.array(path).min(1),
  format: z.enum(["netcdf", "parquet", "csv"]).optional(),
  latitude: z.number().min(-90).max(90).optional(),
  longitude: z.number().min(-180).max(180).optional(),
  elevation: z.number().min(-500).max(9000).optional(),
  stamp: z.enum(["instant", "start", "end", "middle"]),
  time: strictFields({ column: text, zone: zone.optional() }).optional(),
  variables: z.record(text, variable).optional(),
}).superRefine((source, context) => {
  for (const [name, { unit }] of Object.entries(source.variables ?? {})) {
    const place = ["variables", name];
    if (!isClimateVariable(name)) {
      context.addIssue({
        code: "custom",
        path: place,
        message:
          "is not a climate variable. Use wind_speed_H and wind_direction_H, or wind_u_H and " +
          "wind_v_H (H: height in m), temperature, dew_point, pressure, relative_humidity, preliminary",
      });
    } else if (unit !== undefined && !listClimateUnits(name).includes(unit)) {
      context.addIssue({
        code: "custom",
        path: [...place, "unit"],
        message: `"${unit}" is not one of ${listClimateUnits(name).join(", ")}`,
      });
    }
  }
});

const day = text.refine((value) => problemWithDate(value) === null, {
  error: (issue) => problemWithDate(String(issue.input)) ?? "is not a date",
});

const exclusion = strictFields({ from: day, to: day, reason: text })
  .refine(({ from, to }) => from <= to, {
    path: ["to"],
    error: (issue) => {
      const { from, to } = issue.input as { from: string; to: string };
      return `"${to}" is before from, "${from}"`;
    },
  });

const curveFile = strictFields({
  file: path,
  wind_speed: text,
  power: text,
  where: z.record(text, text).optional(),
});

const curvePoints = z.array(strictFields({ wind_speed: z.number(), power: z.number() }))
  .max(MAX_CURVE_POINTS);

const turbine = strictFields({
  id: identifier,
  name: text,
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  elevation: z.number({
    error: (issue) =>
      issue.input === undefined
        ? "is missing. Give the elevation of the ground above sea level in m (the sea: 0)"
        : "is not a number of m",
  }).min(-500).max(9000),
  hub_height: z.number().min(5).max(300),
  rotor_diameter: z.number().min(2).max(400),
  rated_power: z.number().min(1).max(50_000),
  units: z.int().min(1).max(10_000).default(1),
  time_zone: zone,
  power_control: z.enum(["pcStall", "pcPitch"]),
  power_curve: z.union([curveFile, curvePoints], {
    error: "is neither a list of { wind_speed, power } nor { file, wind_speed, power }",
  }),
  production: z.array(productionEntry).default([]),
  exclude: z.array(exclusion).default([]),
});

const dataset = strictFields({
  service_id: text.max(MAX_IDENTIFIER_LENGTH).regex(
    /^[a-z0-9][a-z0-9_.-]*$/,
    "has other characters than a-z, 0-9, _ . and -",
  ),
  short_description: text,
  long_description: anyText.default(""),
  url: anyText.default(""),
  attribution: z.array(text.max(MAX_ATTRIBUTION_LENGTH)).max(MAX_ATTRIBUTION_LINES).default([]),
});

const shear = z.union([
  strictFields({ exponent: z.number().min(0).max(1) }),
  strictFields({ roughness: z.number().positive().max(3) }),
], { error: "is neither { exponent } nor { roughness }" });

/** A dataset and where its climate comes from. */
const reanalysis = {
  dataset,
  climate: z.array(climateSource).min(1),
  shear: shear.optional(),
};

const siteFile = strictFields({
  site: text.regex(/^[a-z0-9][a-z0-9_-]*$/, "has other characters than a-z, 0-9, _ and -"),
  ...reanalysis,
  other_reanalyses: z.array(strictFields(reanalysis)).optional(),
  turbines: z.array(turbine),
  production: z.array(productionEntry).optional(),
}).superRefine(({ turbines, dataset, other_reanalyses, production = [] }, context) => {
  const services = [dataset, ...(other_reanalyses ?? []).map((other) => other.dataset)]
    .map(({ service_id }) => service_id);
  const again = services.findIndex((id, i) => services.indexOf(id) !== i);
  if (again !== -1) {
    context.addIssue({
      code: "custom",
      path: ["other_reanalyses", again - 1, "dataset", "service_id"],
      message: `"${services[again]}" is duplicated. Name all files of a dataset in one climate`,
    });
  }
  const lines = [dataset, ...(other_reanalyses ?? []).map((other) => other.dataset)]
    .flatMap(({ attribution }) => attribution);
  const header = lines.map((line) => encodeURIComponent(line.toWellFormed())).join(",").length;
  if (header > MAX_ATTRIBUTION_HEADER) {
    context.addIssue({
      code: "custom",
      path: ["dataset", "attribution"],
      message: `has ${header} bytes as a header, with those of the other reanalyses, more than ` +
        `${MAX_ATTRIBUTION_HEADER}. Shorten it`,
    });
  }
  const ids = turbines.map(({ id }) => id);
  const twice = ids.find((id, i) => ids.indexOf(id) !== i);
  if (twice !== undefined) {
    context.addIssue({
      code: "custom",
      path: ["turbines"],
      message: `the id "${twice}" is duplicated. Give each turbine its own`,
    });
  }
  for (const [i, entry] of production.entries()) {
    const named = columnsByTurbine(entry);
    const other = Object.keys(named ?? {}).find((id) => !ids.includes(id));
    if (named && other === undefined) continue;
    context.addIssue({
      code: "custom",
      path: ["production", i, "column"],
      message: named
        ? `"${other}" is not the id of a turbine. Use ${ids.map((id) => `"${id}"`).join(", ")}`
        : 'names no turbines. Give a column for each, { "T3": "WTG 03 / Power" }, or move the ' +
          "entry to its turbine",
    });
  }
});

/** A site file: climate sources, turbines and their production; its own production entries have columns of several turbines. */
export type SiteFile = z.infer<typeof siteFile>;

/** A dataset of a site file and where its climate comes from. */
export type SiteReanalysis = NonNullable<SiteFile["other_reanalyses"]>[number];

/** A climate source of a site file. */
export type ClimateSource = SiteFile["climate"][number];

/** A turbine of a site file. */
export type SiteTurbine = SiteFile["turbines"][number];

/** Problems that a message lists. */
const MAX_PROBLEMS = 20;

function formatPlace(parts: readonly PropertyKey[]): string {
  return parts.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`)
    .join("").replace(/^\./, "") || "the file";
}

/**
 * Reads the text of a site file.
 *
 * @param file Its name, for messages
 * @returns The site file; production of several turbines is an entry of each
 * @throws {ArgumentError} If it is not a site file; the message names each place and what is wrong there
 */
export function parseSiteFile(text: string, file: string): SiteFile {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    const found = (cause as Error).message.replace("Cannot parse JSON: ", "");
    throw new ArgumentError(`Cannot read ${file}: it is not JSON that can be read: ${found}`, {
      cause,
    });
  }
  const result = siteFile.safeParse(value);
  if (!result.success) {
    const problems = result.error.issues.map(({ path, message }) =>
      `${formatPlace(path)}: ${message}`
    );
    const more = problems.length - MAX_PROBLEMS;
    throw new ArgumentError(
      `Cannot import ${file}: ${problems.slice(0, MAX_PROBLEMS).join("; ")}` +
        (more > 0 ? `; and ${more} more` : ""),
    );
  }
  const { production: shared = [], ...site } = result.data;
  return {
    ...site,
    turbines: site.turbines.map((turbine) => ({
      ...turbine,
      production: [
        ...turbine.production,
        ...shared.filter((entry) => Object.hasOwn(columnsByTurbine(entry)!, turbine.id)),
      ],
    })),
  };
}
