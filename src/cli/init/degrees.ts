import type { Question } from "./question.ts";

/** An axis of the globe: its letters, and the largest angle. */
interface Axis {
  readonly positive: string;
  readonly negative: string;
  readonly most: number;
  readonly example: string;
}

const axes = {
  latitude: { positive: "N", negative: "S", most: 90, example: "48.45, 48.45 N or 48° 27' N" },
  longitude: { positive: "E", negative: "W", most: 180, example: "-5.59, 5.59 W or 5° 35' 24\" W" },
} as const satisfies Record<string, Axis>;

/** Degrees, minutes and seconds, with a letter before or behind; the decimal mark is a point or a comma. */
const ANGLE =
  /^([NSEW])?\s*([+-]?)(\d+(?:[.,]\d+)?)\s*(?:°|º|deg)?\s*(?:(\d+(?:[.,]\d+)?)\s*['′’]\s*)?(?:(\d+(?:[.,]\d+)?)\s*(?:["″”]|'')\s*)?([NSEW])?$/i;

/** Reads an angle as people write it, in degrees; NaN where it is none. */
function readAngle(text: string, { positive, negative, most }: Axis): number {
  const [, before, sign, degrees, minutes = "0", seconds = "0", after] = ANGLE.exec(text.trim()) ??
    [];
  if (degrees === undefined || before && after || (before || after) && sign) return NaN;
  const letter = (before ?? after ?? positive).toUpperCase();
  const [whole, sixtieths, rest] = [degrees, minutes, seconds].map((part) =>
    Number(part.replace(",", "."))
  );
  const angle = Number((whole + sixtieths / 60 + rest / 3600).toFixed(7));
  const known = letter === positive || letter === negative;
  if (!known || sixtieths >= 60 || rest >= 60 || angle > most) return NaN;
  return (letter === negative || sign === "-") && angle !== 0 ? -angle : angle;
}

/** Makes the parts of a question for a coordinate: it is taken as people write it, and used in degrees. */
export function degrees(
  name: keyof typeof axes,
): Required<Pick<Question, "normalize" | "check">> {
  const axis = axes[name];
  return {
    normalize: (answer) => {
      const angle = readAngle(answer, axis);
      return Number.isNaN(angle) ? answer : String(angle);
    },
    check: (answer) =>
      Number.isNaN(readAngle(answer, axis))
        ? `"${answer}" is not a ${name} from -${axis.most} to ${axis.most} degrees. Write it as ${axis.example}`
        : undefined,
  };
}
