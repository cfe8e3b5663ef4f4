import type { CurvePoint } from "../windindex/turbine/power_curve.ts";
import type { Turbine } from "../windindex/turbine/turbine.ts";

type SampleModel = Pick<
  Turbine,
  "rotorDiameter" | "ratedPower" | "powerControl" | "powerCurve"
>;

/** Builds a curve of points 1 m/s apart, from the cut-in speed on, power in kW. */
function buildCurve(cutIn: number, powers: readonly number[]): readonly CurvePoint[] {
  return powers.map((power, i) => ({ wind_speed: cutIn + i, power }));
}

/** Invented pitch-controlled turbine of 2 MW: the curve follows from rotor area and a power coefficient of 0.445. */
export const pitch2000: SampleModel = {
  rotorDiameter: 84,
  ratedPower: 2000,
  powerControl: "pcPitch",
  powerCurve: buildCurve(4, [
    ...[60, 156, 300, 499, 759, 1085, 1454, 1766, 1925, 1978, 1993],
    ...Array<number>(11).fill(2000),
  ]),
};

/** Invented pitch-controlled turbine of 2.3 MW: the curve follows from rotor area and a power coefficient of 0.45. */
export const pitch2300: SampleModel = {
  rotorDiameter: 92,
  ratedPower: 2300,
  powerControl: "pcPitch",
  powerCurve: buildCurve(4, [
    ...[73, 189, 364, 605, 920, 1309, 1728, 2056, 2216, 2273, 2291],
    ...Array<number>(11).fill(2300),
  ]),
};

/** Invented pitch-controlled turbine of 3 MW with a large rotor: a power coefficient of 0.45. */
export const pitch3000: SampleModel = {
  rotorDiameter: 113,
  ratedPower: 3000,
  powerControl: "pcPitch",
  powerCurve: buildCurve(3, [
    ...[46, 146, 317, 575, 931, 1398, 1958, 2494, 2820, 2944, 2983],
    ...Array<number>(12).fill(3000),
  ]),
};

/** Invented stall-controlled turbine of 600 kW: power sags beyond 15 m/s. */
export const stall600: SampleModel = {
  rotorDiameter: 44,
  ratedPower: 600,
  powerControl: "pcStall",
  powerCurve: buildCurve(4, [
    ...[14, 42, 83, 138, 208, 287, 368, 441, 502, 548, 580],
    ...[597, 603, 600, 590, 577, 563, 550, 540, 532, 527, 524],
  ]),
};

/** Invented stall-controlled turbine of 850 kW: power sags beyond 15 m/s. */
export const stall850: SampleModel = {
  rotorDiameter: 54,
  ratedPower: 850,
  powerControl: "pcStall",
  powerCurve: buildCurve(4, [
    ...[21, 63, 124, 207, 311, 428, 545, 648, 730, 789, 828],
    ...[849, 856, 851, 838, 822, 805, 790, 778, 769, 763, 760],
  ]),
};
