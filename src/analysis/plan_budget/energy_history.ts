import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { readIndexMonths } from "../series/index_months.ts";
import { computeMonthNormals } from "../series/month_normals.ts";
import { readProducedMonths } from "./produced_months.ts";

/** Monthly energies of the past, modelled or produced. */
export interface EnergyHistory {
  /** Whether the energies are modelled or produced. */
  readonly basis: "prediction" | "production normals";
  /** Energy by months since year 0, MWh. */
  readonly energies: ReadonlyMap<number, number>;
  /** Energy of a normal month by the indices, January first, MWh; `undefined` for production. */
  readonly normals: readonly (number | null)[] | undefined;
  /** Assumptions and warnings, in sentences. */
  readonly notes: readonly string[];
}

const [predicted] = pickColumns(monthlyIndicesFrame, ["predicted_production"]);

function dropNulls(rows: Iterable<readonly [number, number | null]>): Map<number, number> {
  return new Map(
    [...rows].filter((row): row is readonly [number, number] => row[1] !== null),
  );
}

function readIndexHistory(indices: DataFrame, what: string): EnergyHistory {
  const months = readIndexMonths(indices, what);
  const { months: normals, notes } = computeMonthNormals(months, what);
  if (normals.every((normal) => normal === null)) {
    throw new ArgumentError(
      `Cannot ${what}: the indices do not give the normal months, since no month has both ` +
        `predicted_production and month_abnormality_index. Give the frame of monthlyIndices()`,
    );
  }
  const energies = dropNulls(months.map(({ number, predicted }) => [number, predicted] as const));
  return { basis: "prediction", energies, normals, notes };
}

function readProductionHistory(
  production: DataFrame,
  what: string,
  timeZone: string | undefined,
): EnergyHistory {
  const { months } = readProducedMonths(production, timeZone);
  const energies = dropNulls([...months].map(([number, { scaled }]) => [number, scaled] as const));
  if (energies.size === 0) {
    throw new ArgumentError(
      `Cannot ${what}: no month of the production is complete. Give whole months of it, or ` +
        "monthly indices of the turbine",
    );
  }
  return {
    basis: "production normals",
    energies,
    normals: undefined,
    notes: [
      "Normal months are the means of the turbine's own production outside of the budget: they include " +
      "its past outages, and are as uncertain as few years are.",
    ],
  };
}

/**
 * Reads the monthly energies of a turbine in the past.
 *
 * @param history Monthly indices, or production where there are none
 * @param what Action, for messages
 * @param timeZone Zone that sets the months, of hours of production. @default that of the stamps
 * @throws {ArgumentError} If columns are missing or of another type, or there are no normal months
 */
export function readEnergyHistory(
  history: DataFrame,
  what: string,
  timeZone: string | undefined,
): EnergyHistory {
  return history.columns.includes(predicted.name)
    ? readIndexHistory(history, what)
    : readProductionHistory(history, what, timeZone);
}
