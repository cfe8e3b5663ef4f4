import {
  defineSite,
  parametricPowerCurve,
  type PowerCurveFile,
  type ProductionDefinition,
  type Site,
  type TurbineDefinition,
} from "../../service/mod.ts";
import { type ClimateInput, climateQuestions } from "./ask_climate.ts";
import type { ProductionInput } from "./ask_production.ts";
import { placeQuestions, toSiteName } from "./place_questions.ts";
import { answerOf, type Answers, type Question } from "./question.ts";
import { turbineQuestions } from "./turbine_questions.ts";

/** What was read of files. */
interface Inputs {
  readonly production: ProductionInput;
  readonly climate: ClimateInput;
  /** File of the power curve. @default made of rated power and rotor */
  readonly curve: PowerCurveFile | undefined;
}

/** The line that everything made of ERA5 must show. */
const ERA5_ATTRIBUTION = "Contains modified Copernicus Climate Change Service information " +
  `${
    new Date().getUTCFullYear()
  }; neither the European Commission nor ECMWF is responsible for any use of it`;

/** The production files of a turbine; `undefined` is the only one, without a name in its files. */
function declareProduction(
  { files, how }: ProductionInput,
  turbine: string | undefined,
): ProductionDefinition[] {
  return files
    .filter(({ turbines }) => turbine === undefined || turbines.includes(turbine))
    .map(({ path: file }) => {
      if (turbine === undefined) return { ...how, file };
      if (!("preset" in how) && typeof how.column === "object" && !Array.isArray(how.column)) {
        return { ...how, file, column: (how.column as Readonly<Record<string, string>>)[turbine] };
      }
      return { ...how, file, turbines: [turbine] };
    });
}

/**
 * Defines the site of the answers.
 *
 * @param answers All answers
 * @param inputs What was read of files
 * @throws {ArgumentError} If answers contradict each other; the message has all faults
 */
export function buildSite(answers: Answers, { production, climate, curve }: Inputs): Site {
  const text = ({ name }: Question) => answerOf(answers, name);
  const number = (question: Question) => Number(text(question));
  const [place, turbine] = [placeQuestions, turbineQuestions];
  const name = text(place.name);
  const site = toSiteName(name);
  const [ratedPower, rotorDiameter] = [number(turbine.ratedPower), number(turbine.rotorDiameter)];
  const build = (id: string | undefined): TurbineDefinition => ({
    id: id ?? site,
    name: id ?? name,
    latitude: number(place.latitude),
    longitude: number(place.longitude),
    elevation: number(place.elevation),
    hubHeight: number(turbine.hubHeight),
    rotorDiameter,
    ratedPower,
    units: answers.has(turbine.units.name) ? number(turbine.units) : 1,
    timeZone: text(place.zone),
    powerControl: text(turbine.powerControl) === "stall" ? "pcStall" : "pcPitch",
    powerCurve: curve ?? parametricPowerCurve({ ratedPower, rotorDiameter }),
    production: declareProduction(production, id),
  });
  const dataset = text(climateQuestions.dataset);
  const { turbines } = production;
  return defineSite({
    site,
    dataset: {
      serviceId: dataset,
      shortDescription: `Climate data of ${name}`,
      attribution: dataset === "era5" ? [ERA5_ATTRIBUTION] : [],
    },
    climate: [climate.source],
    ...(climate.oneHeight ? { shear: { exponent: number(climateQuestions.shear) } } : {}),
    turbines: turbines.length > 0 ? turbines.map(build) : [build(undefined)],
  });
}
