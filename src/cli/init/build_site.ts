import {
  buildEra5Attribution,
  type DatasetDefinition,
  defineSite,
  parametricPowerCurve,
  type PowerCurveFile,
  type ProductionDefinition,
  type Site,
  type TurbineDefinition,
} from "../../sites/mod.ts";
import type { ClimateInput } from "./ask_climate.ts";
import { climateQuestions } from "./climate_questions.ts";
import type { ProductionInput } from "./ask_production.ts";
import { placeQuestions, toSiteName } from "./place_questions.ts";
import { answerOf, type Answers, type Question } from "./question.ts";
import { turbineQuestions } from "./turbine_questions.ts";

interface Inputs {
  readonly production: ProductionInput;
  readonly climate: ClimateInput;
  /** File of the power curve. @default made of rated power and rotor */
  readonly curve: PowerCurveFile | undefined;
}

/** The files of several turbines as the entry that they share. */
function shareProduction({ file, how, turbines }: ProductionInput): ProductionDefinition {
  const { column } = how;
  if (typeof column !== "object" || Array.isArray(column)) {
    return { ...how, file, turbines: Object.fromEntries(turbines.map((id) => [id, id])) };
  }
  const columns = Object.entries(column).filter(([id]) => turbines.includes(id));
  return { ...how, file, column: Object.fromEntries(columns) };
}

/**
 * Defines the site of the answers.
 *
 * @throws {ArgumentError} If answers contradict each other; the message has all faults
 */
export function buildSite(answers: Answers, { production, climate, curve }: Inputs): Site {
  const text = ({ name }: Question) => answerOf(answers, name);
  const number = (question: Question) => Number(text(question));
  const [place, turbine] = [placeQuestions, turbineQuestions];
  const name = text(place.name);
  const site = toSiteName(name);
  const [ratedPower, rotorDiameter] = [number(turbine.ratedPower), number(turbine.rotorDiameter)];
  // More digits than a maker states would fill the site file.
  const points = () =>
    parametricPowerCurve({ ratedPower, rotorDiameter })
      .map((point) => ({ ...point, power: Number(point.power.toFixed(1)) }));
  const build = (id: string | undefined): TurbineDefinition => ({
    id: id ?? site,
    name: id ?? name,
    latitude: number(place.latitude),
    longitude: number(place.longitude),
    elevation: number(place.elevation),
    hub_height: number(turbine.hubHeight),
    rotor_diameter: rotorDiameter,
    rated_power: ratedPower,
    units: answers.has(turbine.units.name) ? number(turbine.units) : 1,
    time_zone: text(place.zone),
    power_control: text(turbine.powerControl) === "stall" ? "pcStall" : "pcPitch",
    power_curve: curve ?? points(),
    ...(id === undefined ? { production: [{ ...production.how, file: production.file }] } : {}),
  });
  const buildDataset = (serviceId: string): DatasetDefinition => ({
    service_id: serviceId,
    short_description: `Climate data of ${name}`,
    attribution: serviceId === "era5" ? [buildEra5Attribution()] : [],
  });
  const { turbines } = production;
  return defineSite({
    site,
    ...("source" in climate.source
      ? { climate: climate.source }
      : { dataset: buildDataset(text(climateQuestions.dataset)), climate: [climate.source] }),
    ...(climate.oneHeight ? { shear: { exponent: number(climateQuestions.shear) } } : {}),
    ...(turbines.length > 0
      ? { turbines: turbines.map(build), production: [shareProduction(production)] }
      : { turbines: [build(undefined)] }),
  });
}
