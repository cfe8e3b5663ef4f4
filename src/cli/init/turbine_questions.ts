import {
  parametricPowerCurve,
  type PowerCurveFile,
  readCurve,
  SourceFiles,
} from "../../sites/mod.ts";
import type { VindkitError } from "../../../mod.ts";
import { visibleText } from "../../api/error_text.ts";
import type { Dialogue } from "./dialogue.ts";
import type { InputFile, InputFiles } from "./input_files.ts";
import { type Answers, checkNumber, type Question } from "./question.ts";

/** The answer that makes the power curve of the rated power and the rotor. */
const PARAMETRIC = "parametric";

const checkRatedPower = checkNumber("kW", [1, 50_000]);
const checkRotor = checkNumber("m", [2, 400]);

/** Questions about the turbine. */
export const turbineQuestions = {
  curve: {
    name: "curve",
    value: "FILE",
    about: `Power curve: a CSV file with wind_speed (m/s) and power (kW), or ${PARAMETRIC}`,
  },
  curveRows: {
    name: "curve-rows",
    value: "VALUE",
    about: "The rows of the power curve file to use, by their first column",
  },
  ratedPower: {
    name: "rated-power",
    value: "KW",
    about: "Rated power of one turbine in kW",
    check: checkRatedPower,
  },
  rotorDiameter: {
    name: "rotor-diameter",
    value: "M",
    about: "Rotor diameter in m",
    check: (answer, answers) => checkRotor(answer) ?? checkArea(answer, answers),
  },
  hubHeight: {
    name: "hub-height",
    value: "M",
    about: "Hub height above ground in m",
    check: checkNumber("m", [5, 300]),
  },
  powerControl: {
    name: "power-control",
    value: "KIND",
    about: "How it limits its power: by pitch (it turns its blades) or stall",
  },
  units: {
    name: "units",
    value: "NUMBER",
    about: "Number of equal turbines whose production is measured together",
    check: (answer) =>
      /^[1-9]\d{0,3}$/.test(answer) ? undefined : `"${answer}" is not a number from 1 to 9999`,
  },
} as const satisfies Record<string, Question>;

/** Whether a power curve can be made of rated power and rotor: one of them may be in another unit. */
function checkArea(answer: string, answers: Answers): string | undefined {
  const [ratedPower] = answers.get(turbineQuestions.ratedPower.name) ?? [];
  const [curve] = answers.get(turbineQuestions.curve.name) ?? [];
  if (ratedPower === undefined || curve !== PARAMETRIC) return undefined;
  try {
    parametricPowerCurve({ ratedPower: Number(ratedPower), rotorDiameter: Number(answer) });
  } catch (error) {
    const { message, hint } = error as VindkitError;
    const advice = "Correct one of them, or give the maker's power curve as --curve";
    return message.replace(`${hint}`, advice);
  }
}

/**
 * Asks for the turbine.
 *
 * @param turbines Number of turbines, which are equal
 * @returns The file of the power curve; `undefined` where it is made of rated power and rotor
 */
export async function askTurbine(
  dialogue: Dialogue,
  inputs: InputFiles,
  turbines: number,
): Promise<PowerCurveFile | undefined> {
  const { ratedPower, rotorDiameter, hubHeight, powerControl, units, curve } = turbineQuestions;
  const checkFile = inputs.check(({ kind }) => kind === "power curve", "power curve");
  const check = async (answer: string) =>
    answer === PARAMETRIC ? undefined : await checkFile(answer);
  const [file = PARAMETRIC] = await dialogue.ask({ ...curve, check }, {
    answers: [PARAMETRIC],
    reason: "made of rated power and rotor",
  }) ?? [];
  const declared = file === PARAMETRIC
    ? undefined
    : await askCurve(dialogue, (await inputs.find([file]))[0]);
  await dialogue.ask(ratedPower);
  await dialogue.ask(rotorDiameter);
  await dialogue.ask(hubHeight);
  await dialogue.ask(powerControl, {
    answers: ["pitch"],
    reason: "as most since about 1995",
    choices: ["pitch", "stall"],
  });
  if (turbines === 1) await dialogue.ask(units, { answers: ["1"] });
  return declared;
}

/** Asks which rows of a power curve file are used, where it has several curves; `undefined` where the answer is missing. */
async function askCurve(
  dialogue: Dialogue,
  { path, columns }: InputFile,
): Promise<PowerCurveFile | undefined> {
  const find = (pattern: RegExp) => columns.find(({ name }) => pattern.test(name))!.name;
  const curve = { file: path, wind_speed: find(/wind.?speed/i), power: find(/power/i) };
  const kind = columns.find(({ cells }) => cells === "texts");
  const read = async (where: Record<string, string>) => {
    return await readCurve(
      { ...curve, where },
      new SourceFiles({ folder: "/", frames: new Map() }),
    );
  };
  if (!kind) {
    dialogue.say(`  ${(await read({})).length} points`);
    return curve;
  }
  const check = async (answer: string) => {
    try {
      await read({ [kind.name]: answer });
    } catch (error) {
      return (error as Error).message;
    }
  };
  const about = `Which value of "${visibleText(kind.name)}" is the turbine's`;
  const [answer] = await dialogue.ask({ ...turbineQuestions.curveRows, about, check }) ?? [];
  return answer === undefined ? undefined : { ...curve, where: { [kind.name]: answer } };
}
