/**
 * Power curves in files of IEC 61400-16, JSON by its schema 1.0.0-alpha-4: a document has the curves of the operating
 * modes of a turbine model, each for values of parameters such as the air density.
 *
 * Source: https://github.com/IEC-61400/power-curve-schema (CC0 1.0)
 *
 * @module
 */
import { z } from "zod";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { assertUtf8 } from "../../frames/csv/csv_layout.ts";
import { listTexts } from "../../frames/production/filter_rows.ts";
import { readNamedFile, refuseFile } from "../../frames/files/read_file.ts";
import { MAX_CURVE_POINTS } from "../../frames/files/reader_limits.ts";
import { writeFiles } from "../../frames/storage/save_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { type CurvePoint, findCurveProblem } from "../../windindex/turbine/power_curve.ts";
import type { ReadPowerCurveOptions } from "./site_definition.ts";
import type { SaveSiteOptions } from "./save_site.ts";
import { formatProblems, listProblems, parseSiteText } from "./site_file.ts";

/** A document of IEC 61400-16, as JSON has it: fields, names and units are those of the standard. */
export type PowerCurveDocument = Record<string, unknown>;

const OPTIONS = declareOptions<ReadPowerCurveOptions>()("mode at");
const SAVE_OPTIONS = declareOptions<SaveSiteOptions>()("", { overwrite: false });

/** A curve of a document, as `readPowerCurve()` gives it. */
export interface PowerCurveRecord {
  /** Points of the curve, m/s and kW, as `defineSite()` takes them. */
  readonly points: readonly CurvePoint[];
  /** Thrust coefficient at each point. */
  readonly thrustCoefficients: readonly number[];
  /** Label of the operating mode. */
  readonly mode: string;
  /** Value or bounds of each parameter beside the wind speed, by the standard's names. */
  readonly conditions: Readonly<Record<string, number | { min: number; max: number }>>;
  /** Name of the turbine model. */
  readonly model: string;
  /** Rated power of the turbine, kW. */
  readonly ratedPower: number;
  /** Rotor diameter, m. */
  readonly rotorDiameter: number;
  /** The whole document, which `savePowerCurve()` writes as it is. */
  readonly document: PowerCurveDocument;
}

const [WIND, DENSITY, REFERENCE_DENSITY] = ["wind-speed", "air-density", 1.225] as const;

const [loose, number] = [z.looseObject, z.number()];
const positive = number.positive();
const label = z.string().regex(/^[\w-]{1,40}$/);

const parameters = z.array(loose({
  label,
  axis: number.optional(),
  values: z.array(z.union([number, loose({ min: number, max: number })])).min(1).optional(),
  value: number.optional(),
  min: number.default(-Infinity),
  max: number.default(Infinity),
}));
const lists = z.array(z.unknown()).max(MAX_CURVE_POINTS);
const modes = z.array(loose({ label, parameters, power: lists, thrust_coefficient: lists }));

/** What is read of a document; all else is only kept. */
const readSchema = loose({
  turbine: loose({ model_name: z.string(), rated_power: positive, rotor_diameter: positive }),
  power_curves: loose({ default_operating_mode_label: label.optional(), operating_modes: modes }),
});

type Parameter = z.infer<typeof parameters>[number];
type Refuse = (found: string) => never;

function checkDocument(document: unknown, refuse: Refuse): z.infer<typeof readSchema> {
  const { data, error } = readSchema.safeParse(document, { reportInput: true });
  return data ??
    refuse(`it is no power curve of IEC 61400-16${formatProblems(listProblems(error.issues))}`);
}

/** Values of a parameter, with the position of the one that is wanted. */
function choose(
  { label, axis, value, min, max, values = [value ?? { min, max }] }: Parameter,
  wanted: number | undefined,
  refuse: Refuse,
) {
  const fits = (v: typeof values[number]) =>
    typeof v === "number" ? v === wanted : v.min <= wanted! && wanted! <= v.max;
  // The last one: the upper bound of a range is of the next.
  const at = wanted === undefined && values.length === 1 ? 0 : values.findLastIndex(fits);
  if (at !== -1) return { label, axis, values, at };
  const known = values.map((v) => typeof v === "number" ? `${v}` : `${v.min} to ${v.max}`);
  return refuse(
    `${label} is ${wanted ?? "not chosen"}. Give at: { "${label}": … }, one of ${listTexts(known)}`,
  );
}

/**
 * Reads a curve of the bytes of a document.
 *
 * @param file Its name, for messages
 * @throws {DataFormatError} If it is no such document, or has not the curve
 */
export function parsePowerCurve(
  bytes: Uint8Array,
  file: string,
  { mode: wanted, at = {} }: ReadPowerCurveOptions,
): PowerCurveRecord {
  const refuse: Refuse = (found) => refuseFile(file, found);
  assertUtf8(bytes, file);
  const document = parseSiteText(new TextDecoder().decode(bytes), file) as PowerCurveDocument;
  const { turbine, power_curves: curves } = checkDocument(document, refuse);
  const modes = curves.operating_modes;
  const labels = listTexts(modes.map(({ label }) => label));
  const usual = curves.default_operating_mode_label ?? (modes.length === 1 ? modes[0].label : "");
  const { label, parameters, ...lists } = modes.find((one) => one.label === (wanted ?? usual)) ??
    refuse(`"${wanted ?? usual}" is no operating mode. Give mode, one of ${labels}`);
  const wind = parameters.find((one) => one.label === WIND && one.axis !== undefined);
  const speeds = wind?.values ?? refuse(`mode ${label} has no axis ${WIND}`);
  const wantedAt: Readonly<Record<string, number>> = { [DENSITY]: REFERENCE_DENSITY, ...at };
  const others = parameters.filter((one) => one !== wind)
    .map((one) => choose(one, wantedAt[one.label], refuse));
  const names = others.map((one) => one.label);
  const stray = Object.keys(at).find((name) => !names.includes(name));
  if (stray) refuse(`mode ${label} has no ${stray} to choose, but ${listTexts(names)}`);
  const axes = [{ ...wind, values: speeds, at: undefined }, ...others]
    .filter(({ axis }) => axis !== undefined).sort((a, b) => a.axis! - b.axis!);
  const read = (all: unknown): number[] =>
    speeds.map((_, i) => {
      const found = axes.reduce((found, { label, values: { length }, at = i }) => {
        // An official example has a level of one entry in its power, of which no parameter speaks.
        const list = Array.isArray(found) && found.length === 1 && length > 1 ? found[0] : found;
        if (Array.isArray(list) && list.length === length) return list[at];
        return refuse(`a curve does not have ${length} entries along ${label}`);
      }, all);
      return typeof found === "number" ? found : refuse(`a curve has ${describeValue(found)}`);
    });
  const powers = read(lists.power);
  // The schema says kW of the power and W of the rated power; its official examples have W in both.
  const share = Math.max(...powers) / turbine.rated_power;
  const unit = [1000, 1].find((watts) => watts / 30_000 < share && share < watts / 500) ??
    refuse(
      `its largest power is ${share} times the rated power in W: it is neither in W nor in kW`,
    );
  const points = powers.map((p, i) => ({ wind_speed: speeds[i] as number, power: p / unit }));
  const problem = findCurveProblem(points, Infinity);
  if (problem) refuse(`the curve of mode ${label} cannot be used: ${problem}`);
  return {
    points,
    thrustCoefficients: read(lists.thrust_coefficient),
    mode: label,
    conditions: Object.fromEntries(others.map(({ label, values, at }) => [label, values[at]])),
    model: turbine.model_name,
    ratedPower: turbine.rated_power / 1000,
    rotorDiameter: turbine.rotor_diameter,
    document,
  };
}

/**
 * Reads a power curve of a file of IEC 61400-16 (JSON, schema 1.0.0-alpha-4).
 *
 * The power may be in W, as in the official examples of the standard, or in kW, as its schema says: the rated power tells.
 *
 * @param file Path of the file
 * @param options Which of its curves: `mode`, and values of parameters, `at`
 * @returns The points (m/s, kW) with their thrust coefficients, what they are for, and the whole document
 * @throws {ArgumentError} If there is no such file, or it is no JSON
 * @throws {DataFormatError} If it is no such document, is too large, or has not the curve; the message says which it has
 *
 * @example One of several curves of a document
 * ```ts
 * import { readPowerCurve, savePowerCurve } from "@vindkit/vindkit/sites";
 * import { assertEquals } from "@std/assert";
 *
 * const file = `${await Deno.makeTempDir()}/v80.json`;
 * await savePowerCurve(file, {
 *   document: { metadata: [{ term_name: "source", value: "An example" }] },
 *   turbine: {
 *     manufacturer_name: "Example Turbines",
 *     manufacturer_display_name: "Example",
 *     model_name: "EX 2.0-80",
 *     model_description: "A turbine that is nowhere built",
 *     rated_power: 2_000_000,
 *     rotor_diameter: 80,
 *     number_of_blades: 3,
 *     drive_type: "geared",
 *     regulation_type: "pitch",
 *   },
 *   power_curves: {
 *     operating_modes: [{
 *       label: "standard",
 *       name: "Standard",
 *       description: "Full power",
 *       cuts: [],
 *       parameters: [
 *         { label: "air-density", axis: 0, values: [1.1, 1.225] },
 *         { label: "wind-speed", axis: 1, values: [4, 8, 12, 25] },
 *       ],
 *       power: [[60e3, 690e3, 1_900e3, 2_000e3], [70e3, 770e3, 2_000e3, 2_000e3]],
 *       thrust_coefficient: [[0.8, 0.8, 0.5, 0.05], [0.8, 0.8, 0.45, 0.05]],
 *     }],
 *   },
 * });
 * const curve = await readPowerCurve(file, { at: { "air-density": 1.1 } });
 * assertEquals(curve.points[1], { wind_speed: 8, power: 690 });
 * assertEquals(curve.conditions, { "air-density": 1.1 });
 * ```
 */
export async function readPowerCurve(
  file: string | URL,
  options: ReadPowerCurveOptions = {},
): Promise<PowerCurveRecord> {
  const chosen = readOptions("readPowerCurve()", options, OPTIONS);
  return parsePowerCurve(await readNamedFile(file), `${file}`, chosen);
}

/**
 * Saves a document with power curves as a file of IEC 61400-16 (JSON, schema 1.0.0-alpha-4): all that the document has is
 * written, with the names and units of the standard. What `readPowerCurve()` needs is checked.
 *
 * @param file Path of the file
 * @param document The document, as of `readPowerCurve()`
 * @param options `overwrite`: whether a file of this name is replaced
 * @throws {ArgumentError} If it is no such document, or the file exists
 *
 * @example A file with a note of one's own
 * ```ts
 * import { readPowerCurve, savePowerCurve } from "@vindkit/vindkit/sites";
 *
 * async function addNote(file: string, note: string): Promise<void> {
 *   const { document } = await readPowerCurve(file);
 *   await savePowerCurve(file, { ...document, additional: { data: { note } } }, { overwrite: true });
 * }
 * ```
 */
export async function savePowerCurve(
  file: string,
  document: PowerCurveDocument,
  options: SaveSiteOptions = {},
): Promise<void> {
  const { overwrite } = readOptions("savePowerCurve()", options, SAVE_OPTIONS);
  checkDocument(document, (found) => {
    throw new ArgumentError(`Cannot save ${file}: ${found}`);
  });
  const { rawJSON } = JSON as unknown as { rawJSON: (digits: string) => unknown }; // not in TypeScript yet
  const keepDigits = (_: string, value: unknown) =>
    typeof value === "bigint" ? rawJSON(`${value}`) : value;
  const text = `${JSON.stringify(document, keepDigits, 2)}\n`;
  await writeFiles([[file, new TextEncoder().encode(text)]], overwrite);
}
