import { isTimeZone } from "../../time/zones.ts";
import type { Dialogue } from "./dialogue.ts";
import { degrees } from "./degrees.ts";
import { checkNumber, type Question } from "./question.ts";

/** Questions about the place. */
export const placeQuestions = {
  name: {
    name: "name",
    value: "TEXT",
    about: "Name of the site",
    check: (answer) =>
      toSiteName(answer) === "" ? `"${answer}" has no letter of a to z, and no digit` : undefined,
  },
  latitude: {
    name: "latitude",
    value: "DEG",
    about: "Latitude of the turbine, as 48.45 or 33.9 S",
    ...degrees("latitude"),
  },
  longitude: {
    name: "longitude",
    value: "DEG",
    about: "Longitude of the turbine, as 5.59 or 8.2 W",
    ...degrees("longitude"),
  },
  elevation: {
    name: "elevation",
    value: "M",
    about: "Ground above sea level in m (the sea: 0)",
    check: checkNumber("m", [-500, 9000]),
  },
  zone: {
    name: "time-zone",
    value: "ZONE",
    about: "Time zone of the place, in which its months begin",
    check: checkZone,
  },
} as const satisfies Record<string, Question>;

/** Says what is wrong with a time zone. */
export function checkZone(answer: string): string | undefined {
  return isTimeZone(answer)
    ? undefined
    : `"${answer}" is not an IANA time zone. Give one like Europe/Copenhagen, or UTC`;
}

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = { ø: "o", æ: "ae", ß: "ss", ł: "l" };

/** Name of a site as site files have it: a to z without accents, digits, and - for all else. */
export function toSiteName(name: string): string {
  return name.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "")
    .replaceAll(/[øæßł]/g, (letter) => LETTERS[letter])
    .replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}

/**
 * Asks for the place.
 *
 * @param dialogue Asks
 * @param name Asks for the name
 */
export async function askPlace(dialogue: Dialogue, name: Question): Promise<void> {
  await dialogue.ask(name);
  await dialogue.ask(placeQuestions.latitude);
  await dialogue.ask(placeQuestions.longitude);
  await dialogue.ask(placeQuestions.elevation);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  await dialogue.ask(placeQuestions.zone, {
    answers: isTimeZone(timeZone) ? [timeZone] : [],
    reason: "that of this computer",
    unsure: true,
  });
}
