import pl, { type DataFrame } from "nodejs-polars";
import { modelDataCsv, monthlyIndicesFrame } from "../../src/api/columns/columns.ts";
import type { TurbineDetails } from "../../src/api/resources/resources.ts";
import type { World } from "../../src/api/world.ts";
import { buildFrame, type ColumnValues } from "../../src/frames/frame.ts";
import { describeFrame, type Provenance } from "../../src/frames/origin/provenance.ts";
import { monthAsDays } from "../../src/time/zones.ts";

/** Provenance of the test frames. */
export function buildOrigin(world: World, operation = "monthly_indices"): Provenance {
  return {
    operation,
    parameters: { turbine_id: "T1" },
    fetchedAt: "2024-02-01T10:00:00Z",
    sha256: ["0123456789abcdef".repeat(4)],
    world,
    attribution: ["Contains modified Copernicus Climate Change Service information 2024"],
  };
}

/** Options of {@linkcode buildIndicesFrame}. */
export interface IndicesOptions {
  turbines?: readonly string[];
  from?: string;
  months?: number;
  /** Positions of months without data. */
  gaps?: readonly number[];
  world?: World;
}

const NORMALS = [137, 121, 115, 92, 80, 72, 66, 73, 95, 112, 117, 120];

/** Two synthetic years of indices; the tenth month has no data, the last three are preliminary. */
export function buildIndicesFrame(options: IndicesOptions = {}): DataFrame {
  const { turbines = ["T1"], from = "2022-01", months = 24, gaps = [9], world = "own" } = options;
  const first = Temporal.PlainYearMonth.from(from);
  const rows = turbines.flatMap((turbine, t) =>
    Array.from({ length: months }, (_, i) => {
      const month = first.add({ months: i });
      const missing = gaps.includes(i);
      const abnormality = missing ? null : 100 + 14 * Math.sin(i * 2.3 + t);
      const index = abnormality === null ? null : abnormality * NORMALS[month.month - 1] / 100;
      const incomplete = i < 11 || gaps.some((gap) => i >= gap && i < gap + 12);
      return {
        turbine_id: turbine,
        month: monthAsDays(month),
        month_index: index,
        month_abnormality_index: abnormality,
        last12_month_index: incomplete ? null : 100 + 5 * Math.sin(i / 3 + t),
        last_full_quarter_index: missing ? null : 98.5,
        last_full_year_index: i < 12 ? null : 101.5,
        predicted_production: index === null ? null : index * 4.4,
        status: i >= months - 3 ? "preliminary" : "final",
        completeness: missing ? 0.4 : 1,
        revision: 1,
        predicted_production_low: index === null ? null : index * 4,
        predicted_production_high: index === null ? null : index * 4.8,
      };
    })
  );
  const values = Object.fromEntries(
    monthlyIndicesFrame.map(({ name }) => [
      name,
      rows.map((row) => row[name as keyof typeof row]) as ColumnValues,
    ]),
  );
  return describeFrame(
    buildFrame(monthlyIndicesFrame, values),
    monthlyIndicesFrame,
    buildOrigin(world),
  );
}

/** Details of a turbine with a synthetic power curve. */
export function buildDetails(
  changes: Partial<TurbineDetails> = {},
): TurbineDetails {
  const powers = [0, 40, 130, 260, 450, 690, 980, 1290, 1580, 1800, 1930, 1985, 2000];
  return {
    turbine_id: "T1",
    name: "Example 1",
    latitude: 55.491,
    longitude: -7.84,
    hub_height: 68.5,
    rated_power: 2000,
    rotor_diameter: 80,
    time_zone: "Europe/Copenhagen",
    training_start: "2019-01-01",
    training_end: "2021-12-31",
    data_ready: true,
    last_wind_index: { month: 12, year: 2023 },
    power_curve: {
      power_control: "pcPitch",
      power: powers.map((power, i) => ({ wind_speed: i + 3, power }))
        .concat({ wind_speed: 25, power: 2000 }),
    },
    ...changes,
  };
}

/** Hours with wind speed and power; one in a hundred has no power. */
export function buildHoursFrame(count: number, world: World = "own"): DataFrame {
  const speeds = Array.from({ length: count }, (_, i) => 8 + 6 * Math.sin(i * 12.9898));
  return describeFrame(
    pl.DataFrame([
      pl.Series("wind_speed", speeds, pl.Float64),
      pl.Series("power", speeds.map((v, i) => i % 100 === 0 ? null : v * 100), pl.Float64),
    ]),
    modelDataCsv,
    buildOrigin(world, "model_data"),
  );
}

/** A comparison of three months: the second has no data, the third only few hours. */
export function buildComparisonFrame(): DataFrame {
  return pl.DataFrame([
    pl.Series("month", ["2022-12-01", "2023-01-01", "2023-02-01"])
      .str.strptime(pl.Date, "%Y-%m-%d"),
    pl.Series("produced", [450, null, 100], pl.Float64),
    pl.Series("predicted", [500, null, 80], pl.Float64),
    pl.Series("ratio", [90, null, 125], pl.Float64),
    pl.Series("completeness", [1, 0, 0.2], pl.Float64),
  ]);
}
