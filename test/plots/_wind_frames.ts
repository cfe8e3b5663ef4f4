import pl, { type DataFrame } from "nodejs-polars";
import { coverageList, modelDataCsv } from "../../src/api/columns/columns.ts";
import type { World } from "../../src/api/world.ts";
import { buildDatetimes } from "../../src/frames/frame.ts";
import { HOUR } from "../../src/time/hourly.ts";
import { describeFrame } from "../../src/frames/origin/provenance.ts";
import { buildOrigin } from "./_frames.ts";

/** Values of the columns of {@linkcode buildWindFrame}. */
export interface WindValues {
  readonly speeds: readonly (number | null)[];
  readonly directions?: readonly (number | null)[];
  readonly powers?: readonly (number | null)[];
  /** First timestamp. @default {"2023-01-01T00:00Z"} */
  readonly start?: string;
  /** IANA zone. @default {"UTC"} */
  readonly zone?: string;
  /** Distance of two timestamps, ms. @default {HOUR} */
  readonly step?: number;
  readonly world?: World;
}

/** Model data of one turbine, hour by hour. */
export function buildWindFrame(values: WindValues): DataFrame {
  const { speeds, directions, powers, start = "2023-01-01T00:00Z", zone = "UTC" } = values;
  const first = Temporal.Instant.from(start).epochMilliseconds;
  const { step = HOUR, world = "own" } = values;
  const column = (name: string, list?: readonly (number | null)[]) =>
    list ? [pl.Series(name, [...list], pl.Float64)] : [];
  return describeFrame(
    pl.DataFrame([
      buildDatetimes("time", Float64Array.from(speeds, (_, i) => first + i * step), zone),
      ...column("wind_speed", speeds),
      ...column("wind_direction", directions),
      ...column("power", powers),
    ]),
    modelDataCsv,
    buildOrigin(world, "model_data"),
  );
}

/** A pseudo-random number from 0 to 1, always the same for a position. */
export function computeScatter(i: number): number {
  const x = Math.sin((i + 1) * 12.9898) * 43758.5453;
  return x - Math.floor(x);
}

/** Speeds that follow a Weibull distribution exactly: its quantiles in pseudo-random order. */
export function buildWeibullSpeeds(count: number, scale: number, shape: number): number[] {
  return Array.from({ length: count }, (_, i) => {
    const position = (i * 7919) % count; // 7919 is prime: each position occurs once
    return scale * (-Math.log(1 - (position + 0.5) / count)) ** (1 / shape);
  });
}

/** Points of a grid of quarter degrees around a place. */
export function buildPointsFrame(
  places: readonly (readonly [number | null, number | null])[],
  world: World = "own",
): DataFrame {
  const dates = (text: string) =>
    pl.Series("d", places.map(() => text)).str.strptime(pl.Date, "%Y-%m-%d");
  return describeFrame(
    pl.DataFrame([
      pl.Series("latitude", places.map(([latitude]) => latitude), pl.Float64),
      pl.Series("longitude", places.map(([, longitude]) => longitude), pl.Float64),
      dates("2005-01-01").rename("start_year"),
      dates("2023-12-31").rename("last_updated"),
    ]),
    coverageList,
    { ...buildOrigin(world, "coverage"), parameters: { service_id: "era5", lat: 55.5, lon: 7.9 } },
  );
}

/** Names that are unlikely in a frame, but possible. */
export const HOSTILE_NAMES = [
  `<script>alert(1)</script>`,
  "🌬️".repeat(40),
  "x".repeat(100_000),
  `"'&\u0000\ud800`,
];
