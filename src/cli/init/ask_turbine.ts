/**
 * Questions about the place and the turbine, and the site built from all answers.
 *
 * @module
 */
import lookUpZone from "@photostructure/tz-lookup";
import {
  defineSite,
  parametricPowerCurve,
  type ProductionDefinition,
  readCurve,
  type Site,
  SourceFiles,
  type TurbineDefinition,
} from "../../sites/mod.ts";
import type { VindkitError } from "../../../mod.ts";
import type { ClimateInput } from "./ask_climate.ts";
import type { ProductionInput } from "./ask_production.ts";
import { type Dialogue, unsure, usual } from "./dialogue.ts";
import { climateFields, placeFields, type Position, turbineFields as f } from "./fields.ts";
import { type InputFile, type InputFiles, toPath } from "./input_files.ts";

/** Letters that Unicode normalization does not decompose. */
const LETTERS: Readonly<Record<string, string>> = { ø: "o", æ: "ae", ß: "ss", ł: "l" };

/** Name of a site in site files: a to z without accents, digits, and - for everything else. */
export function toSiteName(name: string): string {
  return name.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "")
    .replaceAll(/[øæßł]/g, (letter) => LETTERS[letter])
    .replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}

/**
 * Asks for the place, and proposes the time zone of its position.
 *
 * @param findSite Warns if a site of this name exists, because it would be replaced
 */
export async function askPlace(
  dialogue: Dialogue,
  findSite: (site: string) => Promise<string | undefined>,
): Promise<void> {
  await dialogue.ask(placeFields.name, {}, async (value) => {
    const site = toSiteName(String(value));
    return site === ""
      ? `"${value}" has no letter from a to z and no digit. Give a name with at least one`
      : await findSite(site);
  });
  const position = await dialogue.ask(placeFields.position) as Position | undefined;
  await dialogue.ask(placeFields.elevation);
  await dialogue.ask(
    placeFields.time_zone,
    position ? unsure(lookUpZone(position.latitude, position.longitude), "from the position") : {},
  );
}

/** A power curve from a file. */
type CurveFile = Exclude<Parameters<typeof readCurve>[0], readonly unknown[]>;

const isDocument = (path: unknown) => /\.wtg$/i.test(String(path));

/** Declares the columns of a power curve. */
function nameColumns({ path, columns }: InputFile): CurveFile {
  const find = (pattern: RegExp) => columns.find(({ name }) => pattern.test(name))!.name;
  return { file: path, wind_speed: find(/wind.?speed/i), power: find(/power/i) };
}

/** Why a power curve cannot be read; `undefined` if it can. */
async function findProblem(curve: CurveFile): Promise<string | undefined> {
  try {
    await readCurve(curve, new SourceFiles({ folder: "/", frames: new Map() }));
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether rated power and rotor diameter give a power curve: one of them may be in another unit. */
function checkArea(ratedPower: unknown, rotorDiameter: unknown): string | undefined {
  if (typeof ratedPower !== "number") return undefined;
  try {
    parametricPowerCurve({ ratedPower, rotorDiameter: Number(rotorDiameter) });
  } catch (error) {
    const { message, hint } = error as VindkitError;
    const advice = "Correct one of them, or give the maker's power curve as --power-curve";
    return message.replace(`${hint}`, advice);
  }
}

/**
 * Asks for the turbine.
 *
 * @returns The file of the power curve; `undefined` if rated power and rotor replace it
 */
export async function askTurbine(
  dialogue: Dialogue,
  inputs: InputFiles,
): Promise<CurveFile | undefined> {
  const isCurve = inputs.check(({ kind }) => kind === "power curve", "power curve");
  const path = await dialogue.ask(
    f.power_curve,
    usual(null, "estimated from rated power and rotor diameter"),
    (value) =>
      value === null
        ? undefined
        : isDocument(value)
        ? findProblem({ file: toPath(String(value)) })
        : isCurve(value),
  );
  const curve = typeof path !== "string"
    ? undefined
    : isDocument(path)
    ? { file: toPath(path) }
    : nameColumns((await inputs.find([path]))[0]);
  const ratedPower = await dialogue.ask(f.rated_power);
  await dialogue.ask(
    f.rotor_diameter,
    {},
    (value) => curve ? undefined : checkArea(ratedPower, value),
  );
  await dialogue.ask(f.hub_height);
  await dialogue.ask(f.power_control, usual("pcPitch", "like most turbines since about 1995"));
  return curve;
}

/** Merges the files of several turbines into one shared entry. */
function shareProduction({ entry, turbines }: ProductionInput): ProductionDefinition {
  const { column } = entry;
  if (typeof column !== "object" || Array.isArray(column)) {
    return { ...entry, turbines: Object.fromEntries(turbines.map((id) => [id, id])) };
  }
  const columns = Object.entries(column).filter(([id]) => turbines.includes(id));
  return { ...entry, column: Object.fromEntries(columns) };
}

/**
 * Builds the site from the answers.
 *
 * @param curve File of the power curve. @default estimated from rated power and rotor
 * @throws {ArgumentError} If answers contradict each other; the message lists all faults
 */
export function buildSite(
  dialogue: Dialogue,
  production: ProductionInput,
  climate: ClimateInput,
  curve?: CurveFile,
): Site {
  const name = String(dialogue.value(placeFields.name));
  const site = toSiteName(name);
  const number = (field: typeof f[keyof typeof f]) => Number(dialogue.value(field));
  const [ratedPower, rotorDiameter] = [number(f.rated_power), number(f.rotor_diameter)];
  // More digits than manufacturers state would only enlarge the site file.
  const points = () =>
    parametricPowerCurve({ ratedPower, rotorDiameter })
      .map((point) => ({ ...point, power: Number(point.power.toFixed(1)) }));
  const build = (id: string | undefined): TurbineDefinition => ({
    id: id ?? site,
    name: id ?? name,
    ...dialogue.value(placeFields.position) as Position,
    elevation: Number(dialogue.value(placeFields.elevation)),
    hub_height: number(f.hub_height),
    rotor_diameter: rotorDiameter,
    rated_power: ratedPower,
    units: Number(dialogue.value(f.units) ?? 1),
    time_zone: String(dialogue.value(placeFields.time_zone)),
    power_control: dialogue.value(f.power_control) === "pcStall" ? "pcStall" : "pcPitch",
    power_curve: curve ?? points(),
    ...(id === undefined && { production: [production.entry] }),
  });
  const id = String(dialogue.value(climateFields.dataset));
  const { turbines } = production;
  return defineSite({
    site,
    ...("source" in climate.source ? { climate: climate.source } : {
      dataset: { service_id: id, short_description: `Climate data of ${name}` },
      climate: [climate.source],
    }),
    ...(climate.oneHeight &&
      { shear: dialogue.value(climateFields.shear) as { exponent: number } }),
    ...(turbines.length > 0
      ? { turbines: turbines.map(build), production: [shareProduction(production)] }
      : { turbines: [build(undefined)] }),
  });
}
