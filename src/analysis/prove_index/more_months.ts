import { SeededRandom } from "../../stats/seeded_random.ts";
import { mean, quantile, sumOf } from "../../stats/spread.ts";
import { MIN_PERIODS } from "../../windindex/calibration/training_energies.ts";
import { type ErrorShare, estimateError } from "../../windindex/uncertainty/error_terms.ts";
import { estimateSeasonWave, type SitePrior } from "../../windindex/uncertainty/site_errors.ts";

/** Numbers of months for which the synthetic worlds give errors. */
export const LENGTHS = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  ...[15, 18, 21, 24, 30, 36, 48, 60, 90, 120, 180, 240],
];

/** Synthetic worlds to draw. */
const DRAWS = 1000;

/** Months of the year after the record, the year to predict. */
const YEAR = 12;

/** Months of a record with the logarithm of produced over predicted energy, in order of time. */
export interface RecordMonth {
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Error of the index, which may choose its scaling. */
  readonly index: number;
  /** Error of one factor, the only scaling for a record of less than six months. */
  readonly plain: number;
}

/**
 * Errors after some months of production, %: half of the worlds stay within the first, nine of ten within the second. A
 * row of the frame `lengths`.
 */
export type LengthErrors = Readonly<
  Record<"months" | "year_half" | "year_most" | "month_half" | "month_most", number>
>;

const angleOf = (month: number) => 2 * Math.PI * (month - 1) / YEAR;

/** Draws errors of consecutive months like those of a record. */
type DrawErrors = (
  first: number,
  positions: readonly number[],
  random: SeededRandom,
) => Float64Array;

/** Separates the errors of a record into an annual wave and scatter, and draws new ones from both. */
function buildDraw(
  record: readonly RecordMonth[],
  errors: readonly number[],
  { month: prior, season }: SitePrior,
): DrawErrors {
  const months = record.map(({ month }, i) => ({ month, error: errors[i] }));
  const { deviation, freedom } = estimateSeasonWave(months, season);
  const hasOwnWave = freedom === Infinity; // the record shows its wave
  const level = mean(errors);
  const coefficient = (of: (angle: number) => number) =>
    2 * mean(months.map(({ month, error }) => (error - level) * of(angleOf(month))));
  const [a, b] = hasOwnWave ? [coefficient(Math.cos), coefficient(Math.sin)] : [0, 0];
  const fittedDeviation = Math.sqrt((a * a + b * b) / 2);
  const share = fittedDeviation > 0 ? deviation / fittedDeviation : 0;
  const waveAt = (month: number, [cosine, sine]: readonly [number, number]) =>
    cosine * Math.cos(angleOf(month)) + sine * Math.sin(angleOf(month));
  const fitted: readonly [number, number] = [share * a, share * b];
  const residuals = months.map(({ month, error }) => error - level - waveAt(month, fitted));
  const squares = sumOf(residuals, (error) => error ** 2);
  const freeErrors = Math.max(1, residuals.length - (hasOwnWave ? 3 : 1));
  const known = residuals.length >= MIN_PERIODS;
  const larger = Math.sqrt(residuals.length / freeErrors); // level and wave were fitted, which took degrees of freedom
  const scatter = Math.sqrt(estimateError(squares, residuals.length - 1, prior).variance);
  return (first, positions, random) => {
    const wave: readonly [number, number] = hasOwnWave
      ? fitted
      : [deviation * random.normal(), deviation * random.normal()];
    return Float64Array.from(positions, (position, t) =>
      waveAt((first + t) % YEAR + 1, wave) +
      (known ? larger * residuals[position] : scatter * random.normal()));
  };
}

/**
 * Draws positions of the months of a record in blocks with replacement, because errors of consecutive months are alike.
 */
function drawPositions(number: number, count: number, random: SeededRandom): number[] {
  const block = number < 8 ? 1 : Math.round(Math.cbrt(number));
  const positions: number[] = [];
  while (positions.length < count) {
    const start = random.below(number);
    for (let i = 0; i < block && positions.length < count; i++) {
      positions.push((start + i) % number);
    }
  }
  return positions;
}

/**
 * Draws worlds like a record, and measures the errors after some months of production in them. A world has the errors
 * of the record's months in blocks, its annual wave (from other sites if the record has less than twelve months), and a
 * level that moves from year to year.
 *
 * @param record The months, at least one
 * @param prior Prior knowledge of the site
 * @param move Year-to-year movement of the level
 */
export function drawLengths(
  record: readonly RecordMonth[],
  prior: SitePrior,
  move: ErrorShare,
  seed: number,
): LengthErrors[] {
  const random = new SeededRandom(`lengths ${seed}`);
  const longest = LENGTHS[LENGTHS.length - 1];
  const count = longest + YEAR;
  const draws = (["plain", "index"] as const).map((name) =>
    buildDraw(record, record.map((month) => month[name]), prior)
  );
  const years = LENGTHS.map((): number[] => []);
  const months = LENGTHS.map((): number[] => []);
  for (let draw = 0; draw < DRAWS; draw++) {
    const [first, begin] = [random.below(YEAR), random.below(YEAR)];
    const levels = Array.from(
      { length: count / YEAR + 1 },
      () => Math.sqrt(move.variance) * random.normal(),
    );
    const positions = drawPositions(record.length, count, random);
    const [plain, index] = draws.map((one) =>
      one(first, positions, random).map((error, t) =>
        error + levels[Math.floor((t + begin) / YEAR)]
      )
    );
    LENGTHS.forEach((length, i) => {
      const errors = length < MIN_PERIODS ? plain : index;
      const level = mean(errors.subarray(0, length));
      years[i].push(Math.abs(Math.expm1(level)));
      for (let t = longest; t < count; t++) months[i].push(Math.abs(Math.expm1(errors[t] - level)));
    });
  }
  const takeQuantiles = (values: number[]) => {
    const sorted = Float64Array.from(values).sort();
    return [0.5, 0.9].map((share) => 100 * quantile(sorted, share));
  };
  return LENGTHS.map((length, i) => {
    const [[year_half, year_most], [month_half, month_most]] = [years[i], months[i]].map(
      takeQuantiles,
    );
    return { months: length, year_half, year_most, month_half, month_most };
  });
}
