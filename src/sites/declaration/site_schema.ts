import { z } from "zod";
import { problemWithDate } from "../../api/calendar.ts";
import { visibleText } from "../../api/error_text.ts";
import { MAX_IDENTIFIER_LENGTH, problemWithIdentifier } from "../../api/operations/parameter.ts";
import { FIRST_ERA5_YEAR } from "../../frames/grid_points.ts";
import { findOwners } from "../../frames/ownership.ts";
import { byName, oneOf, strictFields } from "../../show/options/declared_fields.ts";
import { listTexts } from "../../frames/production/filter_rows.ts";
import {
  MAX_ATTRIBUTION_HEADER,
  MAX_ATTRIBUTION_LENGTH,
  MAX_ATTRIBUTION_LINES,
  MAX_CURVE_POINTS,
  MAX_SITE_TEXT,
} from "../../frames/files/reader_limits.ts";
import { readDayRange } from "../../show/options/range.ts";
import { isTimeZone } from "../../time/zones.ts";
import { POWER_UNITS, type PowerUnit } from "../../windindex/turbine/power_curve.ts";
import { isClimateVariable, listClimateUnits, readClimateUnit } from "./climate_variables.ts";
import { addClimateProblems, DEFAULT_DATASET, FORMATS, SOURCE_DATASETS } from "./climate_rules.ts";
import { cellText, expect, list, number, type Report, text, withRule } from "./declared_values.ts";
import { entryFields, productionEntry } from "./production_entry.ts";
import type { ReanalysisSource } from "./site_definition.ts";

/** Lists identifiers of turbines: the entries of a list, or the keys of an object. */
function listIds(turbines: unknown): string[] {
  if (typeof turbines !== "object" || turbines === null) return [];
  const ids: unknown[] = Array.isArray(turbines) ? turbines : Object.keys(turbines);
  return ids.filter((id) => typeof id === "string");
}

/** Finds the position of the first duplicate in a list; -1 if there is none. */
function findRepeated(values: readonly unknown[]): number {
  const seen = new Set();
  return values.findIndex((value) => value !== undefined && seen.size === seen.add(value).size);
}

/**
 * Reports contradictions between the parts of a site. It also runs if checks of single fields fail, so one message has
 * all problems: any part may be missing or have the wrong type.
 */
function addSiteProblems(site: unknown, report: Report): void {
  const field = (of: unknown, wanted: string): unknown =>
    typeof of === "object" && of !== null
      ? (of as Readonly<Record<string, unknown>>)[wanted]
      : undefined;
  const entries = (of: unknown, wanted: string): readonly unknown[] => {
    const value = field(of, wanted);
    return Array.isArray(value) ? value : [];
  };
  const datasets = [site, ...entries(site, "other_reanalyses")].map((one) => field(one, "dataset"));
  const sources = [site, ...entries(site, "other_reanalyses")]
    .map((one) => field(field(one, "climate"), "source"));
  const [source] = sources;
  const { service_id: serviceId } = source === "cds" || source === "open-meteo"
    ? SOURCE_DATASETS[source]
    : DEFAULT_DATASET;
  const services = datasets.map((dataset, i) =>
    i === 0 && dataset === undefined ? serviceId : field(dataset, "service_id")
  );
  const duplicate = findRepeated(services);
  if (duplicate !== -1) {
    report(
      ["other_reanalyses", duplicate - 1, "dataset", "service_id"],
      `"${services[duplicate]}" is duplicated. Name all files of a dataset in one climate`,
    );
  }
  const header = datasets.flatMap((dataset) => entries(dataset, "attribution"))
    .map((line) => encodeURIComponent(String(line).toWellFormed())).join(",").length;
  if (header > MAX_ATTRIBUTION_HEADER) {
    report(
      ["dataset", "attribution"],
      `has ${header} bytes as a header, including the other reanalyses, but the limit is ` +
        `${MAX_ATTRIBUTION_HEADER}. Shorten it`,
    );
  }

  const ids = entries(site, "turbines").map((turbine) => field(turbine, "id"));
  const duplicateId = findRepeated(ids);
  if (duplicateId !== -1) {
    report(
      ["turbines", duplicateId, "id"],
      `the id "${ids[duplicateId]}" is duplicated. Give each turbine its own id`,
    );
  }
  const isEmpty = Array.isArray(field(site, "turbines")) && ids.length === 0;
  if (isEmpty && sources.some((one) => one !== undefined)) {
    report(
      ["turbines"],
      "is empty. Give at least one turbine, because climate is fetched for its place",
    );
  }
  const known = new Set(ids.filter((id) => typeof id === "string"));
  for (const [i, entry] of entries(site, "production").entries()) {
    const column = field(entry, "column");
    if (typeof column !== "string" && (typeof column !== "object" || column === null)) continue;
    const turbines = field(entry, "turbines");
    const of = typeof column === "object" && !Array.isArray(column) ? "column" : "turbines";
    for (const id of listIds(of === "column" ? column : turbines)) {
      if (known.has(id)) continue;
      report(
        ["production", i, of],
        `"${id}" is not the id of a turbine. Use ${listTexts([...known])}` +
          (Array.isArray(turbines)
            ? `, with its name in the file: { "${[...known][0]}": "${id}" }`
            : ""),
      );
    }
    if (of === "column" || ["preset", "turbine"].some((one) => field(entry, one) !== undefined)) {
      continue;
    }
    report(
      ["production", i, "column"],
      'names no turbines. Give "turbine", the column that names the turbine of each row. Or give a column ' +
        'for each turbine, { "T3": "WTG 03 / Power" }, or move the entry to its turbine',
    );
  }
}

/** Whether a range is valid and begins no earlier than ERA5. */
function isRange(range: Partial<Pick<ReanalysisSource, "from" | "to">>): boolean {
  try {
    const { first } = readDayRange(range);
    return first === undefined || first.year >= FIRST_ERA5_YEAR;
  } catch {
    return false;
  }
}

const wanted = {
  from:
    `a past or present year, month or day, ${FIRST_ERA5_YEAR} or later, such as "2005" or "2005-03"`,
  to: 'a year, month or day, which is included, such as "2023" or "2023-12"',
  points: "1 for the grid point nearest to each turbine, or 4 for the points around it",
};

function bound(name: "from" | "to") {
  const expected = expect(wanted[name]);
  return z.union([z.number(), z.string()], expected)
    .refine((value) => !String(value).includes("T") && isRange({ [name]: value }), expected)
    .describe(wanted[name]);
}

/** Schema of climate from a source: ERA5 at the turbines, fetched by the import. */
const reanalysisSource = withRule(
  strictFields({
    source: oneOf(["cds", "open-meteo"]).describe("the service to fetch ERA5 from"),
    points: z.literal([1, 4], expect(wanted.points)).default(1).describe(wanted.points),
    from: bound("from"),
    to: bound("to").optional(),
  }),
  ({ from, to }, report) => {
    if (!isRange({ from }) || !isRange({ to }) || isRange({ from, to })) return;
    report(["to"], `"${to}" is before "from", "${from}". Give ${wanted.to}`);
  },
);

/** An identifier that is valid in requests, visible and easy to type. */
const identifier = z.string(expect("the identifier of the turbine")).superRefine(
  (value, context) => {
    const problem = problemWithIdentifier(value) ??
      (value.trim() !== value ? "it begins or ends with a blank" : null) ??
      (visibleText(value) !== value ? "it has an invisible character" : null);
    if (problem === null) return;
    const quoted = JSON.stringify(visibleText(value.slice(0, 60)));
    context.addIssue({
      code: "custom",
      message: `${quoted} is not an identifier: ${problem}. Give another id`,
    });
  },
).describe("the identifier of the turbine");

const zone = text('an IANA time zone like "Europe/Copenhagen"').refine(isTimeZone, {
  error: ({ input }) => `"${input}" is not an IANA time zone. Give a name like "Europe/Copenhagen"`,
});

const day = text('a day like "2023-05-01"').refine((value) => problemWithDate(value) === null, {
  error: ({ input }) => `${problemWithDate(String(input))}. Give a day like "2023-05-01"`,
});

const latitude = number("the latitude in deg, north positive", [-90, 90]);
const longitude = number("the longitude in deg, east positive", [-180, 180]);
const elevation = number("the elevation of the ground above sea level in m (the sea: 0)", [
  -500,
  9000,
]);

const climateSources = "a list of at least one climate source";

/** Example of climate from a source, for messages. */
const namedSource = '{ "source": "cds", "points": 1, "from": "2005" }';

const timeColumn = "the name of the column with the time";

/** Conditions that select rows of a file with several models or turbines, for messages. */
const conditions =
  'names of columns and a value for each, such as { "model": "V80" }; other rows are ' +
  "left out";

const VARIABLES = "wind_speed_H and wind_direction_H, or wind_u_H and wind_v_H (H: height in m), " +
  "temperature, dew_point, pressure, relative_humidity, preliminary";

/** Points of a power curve, with the column names used everywhere. */
const curvePoints = list(
  'two points or more, such as { "wind_speed": 4, "power": 70 } in m/s and kW',
  strictFields({
    wind_speed: number("the wind speed in m/s", [0, 100]),
    power: number("the power in kW", [0, 100_000]),
  }),
  [2, MAX_CURVE_POINTS],
);

const variables = withRule(
  byName(
    z.string(),
    strictFields({
      column: cellText("the name of the column"),
      unit: cellText("the unit of the column").optional(),
      null_values: entryFields.null_values,
    }),
    expect(`names of variables, each with its column and unit: ${VARIABLES}`),
  ).describe(`climate variables with their columns and units: ${VARIABLES}`),
  (declared, report) => {
    for (const [variable, one] of Object.entries(declared)) {
      const unit: unknown = one?.unit;
      const units = listClimateUnits(variable);
      if (!isClimateVariable(variable)) {
        report([variable], `is not a climate variable. Use ${VARIABLES}`);
      } else if (typeof unit === "string" && readClimateUnit(variable, unit) === undefined) {
        const known = units.map((known) => `"${known}"`).join(" or ");
        report([variable, "unit"], `"${unit}" is not a unit of ${variable}. Give ${known}`);
      }
    }
  },
);

const climateSource = withRule(
  strictFields({
    files: list("a list of at least one path", text("the path of a climate file"), [1, Infinity]),
    format: oneOf(FORMATS).optional(),
    latitude: latitude.optional(),
    longitude: longitude.optional(),
    elevation: elevation.optional(),
    stamp: oneOf(["instant", "start", "end", "middle"]).describe(
      "what the timestamp of a value marks: its instant, or the start, end or middle of its hour",
    ),
    time: z.union([
      cellText(timeColumn),
      strictFields({ column: cellText(timeColumn), zone: zone.optional() }),
    ], expect(`${timeColumn}, or { column, zone }`)).optional(),
    variables: variables.optional(),
    null_values: entryFields.null_values,
  }),
  addClimateProblems,
);

const exclusion = withRule(
  strictFields({
    from: day,
    to: day,
    reason: text("the reason, in a few words"),
  }),
  ({ from, to }, report) => {
    if ([from, to].some((one) => !day.safeParse(one).success) || from <= to) return;
    report(["to"], `"${to}" is before "from", "${from}". Give the last day, which is included`);
  },
);

const ownership = list(
  'a list like [{ "owner": "A. Hansen", "percent": 25, "from": "2019-07-01" }]',
  strictFields({
    owner: text("the name of the owner"),
    percent: number("the part of the energy in %", [0, 100]),
    from: day.optional(),
  }),
).superRefine((parts, { addIssue }) => {
  const duplicate = findRepeated(parts.map(({ owner, from }) => JSON.stringify([owner, from])));
  if (duplicate !== -1) {
    addIssue({
      ...{ code: "custom", path: [duplicate] },
      message: "repeats an owner and day. Give one entry for each",
    });
  }
  for (const { from = "" } of parts) {
    const sum = findOwners(parts, from).values().reduce((total, percent) => total + percent, 0);
    if (sum < 100 + 1e-9) continue;
    const when = from && ` from ${from} on`;
    return addIssue({ code: "custom", message: `adds up to ${sum} %${when}. Give 100 at most` });
  }
});

const LOCATION = "true to compute the uncalibrated index of the place until there is production";

const curveFile = strictFields({
  file: text("the path of a CSV file"),
  wind_speed: cellText("the name of the column with the wind speed in m/s"),
  power: cellText("the name of the column with the power"),
  unit: oneOf(Object.keys(POWER_UNITS) as PowerUnit[]).optional()
    .describe("the unit of the power, by default kW"),
  where: byName(z.string(), cellText("a value as written in the file"), expect(conditions))
    .optional()
    .describe(conditions),
});

const document = "the path of a .wtg of WAsP, or a CSV file with wind_speed and power";

/** A WAsP file, from which the curve at 1.225 kg/m3 is used. */
const curveDocument = strictFields({
  file: text("the path").regex(/\.wtg$/i, { ...expect(document), abort: true }),
});

const turbine = strictFields({
  id: identifier,
  name: text("the name of the turbine"),
  latitude,
  longitude,
  elevation,
  hub_height: number("the height of the hub above ground in m", [5, 300]),
  rotor_diameter: number("the diameter of the rotor in m", [2, 400]),
  rated_power: number("the rated power of one unit in kW", [1, 50_000]),
  units: z.int(expect("the number of identical turbines measured together, a whole number"))
    .min(1, expect("a whole number of 1 to 10000"))
    .max(10_000, expect("a whole number of 1 to 10000")).default(1)
    .describe("the number of identical turbines measured together"),
  time_zone: zone,
  power_control: oneOf(["pcStall", "pcPitch"]).describe(
    "how the turbine limits its power: by stall, or by pitching its blades",
  ),
  power_curve: z.union(
    [curveFile, curveDocument, curvePoints],
    expect(
      'a list of points like { "wind_speed": 4, "power": 70 }, or { file, wind_speed, power }: a CSV ' +
        "file and the names of its columns, or { file }: a .wtg of WAsP",
    ),
  ),
  production: list("a list of production files", productionEntry).default([]),
  exclude: list("a list of days with from, to and reason", exclusion).default([]),
  location_index: z.boolean(expect(LOCATION)).optional().describe(LOCATION),
  ownership: ownership.optional(),
});

const dataset = strictFields({
  service_id: text("the identifier of the dataset", [1, MAX_IDENTIFIER_LENGTH]).regex(
    /^[a-z0-9][a-z0-9_.-]*$/,
    expect("an identifier of a-z, 0-9, _ . and -, such as era5"),
  ),
  short_description: text("the name of the dataset in a few words"),
  long_description: text("a description of the dataset", [0, MAX_SITE_TEXT]).default(""),
  url: text("the address of the dataset's own description", [0, MAX_SITE_TEXT]).default(""),
  attribution: list(
    "a list of lines that every product of the data must show",
    text("an attribution", [1, MAX_ATTRIBUTION_LENGTH]),
    [0, MAX_ATTRIBUTION_LINES],
  ).optional(),
});

const shear = z.union([
  strictFields({ exponent: number("the exponent of the power law", [0, 1]) }),
  strictFields({ roughness: number("the roughness length in m", [1e-6, 3]) }),
], expect('{ "exponent": 0.143 } or { "roughness": 0.03 } (m)')).describe(
  "wind shear up to hub height: exponent=0.143 of a power law, or roughness=0.03 in m",
);

const reanalysis = {
  dataset,
  climate: z.union([
    list(climateSources, climateSource, [1, Infinity]),
    reanalysisSource,
  ], expect(`${climateSources}, or ${namedSource}`)),
  shear: shear.optional(),
};

/** The fields of a site file by part, for `init`, which asks for them one by one. */
export const siteFields = {
  turbine: turbine.shape,
  production: entryFields,
  climate: climateSource.shape,
  source: reanalysisSource.shape,
  dataset: dataset.shape,
  shear,
} as const;

/** Schema of a site, in a file and in a program: its fields, checks and messages. */
export const siteSchema = withRule(
  strictFields({
    site: text("the name of the site").regex(
      /^[a-z0-9][a-z0-9_-]*$/,
      expect("a name of a-z, 0-9, _ and -, such as hill-1"),
    ),
    ...reanalysis,
    dataset: dataset.optional(),
    other_reanalyses: list("a list of additional reanalyses", strictFields(reanalysis)).optional(),
    turbines: list("a list of turbines", turbine),
    production: list("a list of production files of several turbines", productionEntry).optional(),
  }),
  addSiteProblems,
);
