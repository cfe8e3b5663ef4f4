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
    normalize: findZone,
    check: checkZone,
  },
} as const satisfies Record<string, Question>;

/** Says what is wrong with a time zone. */
export function checkZone(answer: string): string | undefined {
  return isTimeZone(answer)
    ? undefined
    : `"${answer}" is not an IANA time zone. Give one like Europe/Copenhagen, or UTC`;
}

/** The zone of a city, as Europe/Paris of Paris; another answer as it is. */
export function findZone(answer: string): string {
  const city = `/${answer.toLowerCase().replaceAll(" ", "_")}`;
  return Intl.supportedValuesOf("timeZone").find((zone) => zone.toLowerCase().endsWith(city)) ??
    answer;
}

/** Whether a zone can be that of a longitude: its winter is within two hours of the sun. UTC is a server's. */
function fitsLongitude(zone: string, longitude: number): boolean {
  const winter = [1, 7].map((month) =>
    Temporal.PlainDate.from({ year: 2024, month, day: 1 }).toZonedDateTime(zone).offsetNanoseconds
  );
  return zone !== "UTC" && Math.abs(Math.min(...winter) / 3.6e12 - longitude / 15) <= 2;
}

/** Letters that Unicode does not take apart. */
const LETTERS: Readonly<Record<string, string>> = { ø: "o", æ: "ae", ß: "ss", ł: "l" };

/** Name of a site as site files have it: a to z without accents, digits, and - for all else. */
export function toSiteName(name: string): string {
  return name.toLowerCase().normalize("NFKD").replaceAll(/\p{M}/gu, "")
    .replaceAll(/[øæßł]/g, (letter) => LETTERS[letter])
    .replaceAll(/[^a-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}

/** Asks for the place. */
export async function askPlace(dialogue: Dialogue, name: Question): Promise<void> {
  await dialogue.ask(name);
  await dialogue.ask(placeQuestions.latitude);
  await dialogue.ask(placeQuestions.longitude);
  await dialogue.ask(placeQuestions.elevation);
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const longitude = Number(dialogue.answers.get(placeQuestions.longitude.name)?.[0]);
  const proposal = isTimeZone(timeZone) && fitsLongitude(timeZone, longitude)
    ? { answers: [timeZone], reason: "that of this computer", unsure: true }
    : {};
  await dialogue.ask(placeQuestions.zone, proposal);
}
