/**
 * The place and the turbine, and the site of all answers.
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

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = { ø: "o", æ: "ae", ß: "ss", ł: "l" };

/** Name of a site as site files have it: a to z without accents, digits, and - for all else. */
export function toSiteName(name: string): string {
  return name.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "")
    .replaceAll(/[øæßł]/g, (letter) => LETTERS[letter])
    .replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}

/**
 * Asks for the place; its zone is proposed by the position.
 *
 * @param findSite Says that there is a site of a name, which would be replaced
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

/** A power curve that is declared by a file. */
type CurveFile = Exclude<Parameters<typeof readCurve>[0], readonly unknown[]>;

const isDocument = (path: unknown) => /\.wtg$/i.test(String(path));

/** Names the columns of a power curve. */
function nameColumns({ path, columns }: InputFile): CurveFile {
  const find = (pattern: RegExp) => columns.find(({ name }) => pattern.test(name))!.name;
  return { file: path, wind_speed: find(/wind.?speed/i), power: find(/power/i) };
}

/** Says why a power curve cannot be read; `undefined` where it can. */
async function findProblem(curve: CurveFile): Promise<string | undefined> {
  try {
    await readCurve(curve, new SourceFiles({ folder: "/", frames: new Map() }));
  } catch (error) {
    return (error as Error).message;
  }
}

/** Whether a power curve can be made of rated power and rotor: one of them may be in another unit. */
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
 * @returns The file of the power curve; `undefined` where it is made of rated power and rotor
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

/** The files of several turbines as the entry that they share. */
function shareProduction({ entry, turbines }: ProductionInput): ProductionDefinition {
  const { column } = entry;
  if (typeof column !== "object" || Array.isArray(column)) {
    return { ...entry, turbines: Object.fromEntries(turbines.map((id) => [id, id])) };
  }
  const columns = Object.entries(column).filter(([id]) => turbines.includes(id));
  return { ...entry, column: Object.fromEntries(columns) };
}

/**
 * Defines the site of the answers.
 *
 * @param curve File of the power curve. @default made of rated power and rotor
 * @throws {ArgumentError} If answers contradict each other; the message has all faults
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
  // More digits than a maker states would fill the site file.
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
