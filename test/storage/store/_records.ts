/**
 * Records for tests of stores: a site with a dataset, a point and a turbine, a licence, and an order.
 *
 * @module
 */
import { windIndicesCsv } from "../../../src/api/columns/columns.ts";
import type { Order } from "../../../src/storage/store/orders.ts";
import type {
  Dataset,
  SiteRecord,
  StoredMonth,
  StoredPoint,
} from "../../../src/sites/keep/site_record.ts";
import type { Licence } from "../../../src/storage/store/licences.ts";

export type Months = SiteRecord["turbines"][number]["months"];

export const dataset: Omit<Dataset, "id"> = {
  serviceId: "era5",
  group: "reanalysis",
  type: "time series",
  shortDescription: "ERA5",
  longDescription: "Hourly",
  url: "https://example.com/",
  attribution: ["Somebody, 2024"],
};

export const point: StoredPoint = {
  serviceId: "era5",
  latitude: 55.5,
  longitude: -7.75,
  elevation: null,
  start: Date.UTC(1950, 0, 1), // timestamps before 1970 are negative
  hours: 700_000,
  stamp: "instant",
  file: "0a.parquet",
  attribution: dataset.attribution,
};

export function month(number: number, changes: Partial<StoredMonth> = {}): Months[number] {
  return {
    year: 2023,
    month: number,
    month_index: 100 + number,
    month_abnormality_index: 100 + number + 1 / 7,
    last12_month_index: 100 + number + 2 / 7,
    last_full_quarter_index: 100 + number + 3 / 7,
    last_full_year_index: 100 + number + 4 / 7,
    predicted_production: 100 + number + 5 / 7,
    completeness: 1,
    status: "final",
    predicted_production_low: 90 + number,
    predicted_production_high: 110 + number,
    ...changes,
  };
}

/** Builds a turbine without calibration and hourly model. */
export function bareTurbine(id: string, months: Months = []): SiteRecord["turbines"][number] {
  return {
    stored: {
      turbine: {
        id,
        name: `Turbine "${id}"`,
        latitude: 55.6,
        longitude: 7.9,
        elevation: 0,
        hubHeight: 80,
        rotorDiameter: 92,
        ratedPower: 2300,
        units: 1,
        timeZone: "Europe/Copenhagen",
        powerControl: "pcPitch",
        powerCurve: [{ wind_speed: 3, power: 0 }, { wind_speed: 12, power: 2300 }],
      },
      calibration: null,
      ...{ production: null, doubts: [], inputs: "" },
      modelFile: null,
    },
    months,
  };
}

export function turbine(id: string, months: Months): SiteRecord["turbines"][number] {
  return {
    stored: {
      ...bareTurbine(id).stored,
      calibration: {
        revision: 1,
        calibration: {
          k: 0.93,
          scaling: { kind: "hour", factors: [0.9, 0.91, 0.93, 0.92] },
          smoothing: 1.5,
          candidates: [
            { kind: "factor", folding: "neighbours", smoothing: 1, error: 0.06 },
            { kind: "hour", folding: "neighbours", smoothing: 1.5, error: 0.05 },
          ],
          periods: [],
          hours: 8000,
          residual: null,
        },
        reanalyses: [],
        choice: { kind: "single", error: null },
        trainingStart: "2023-01-01",
        trainingEnd: "2023-12-31",
        referenceYears: [2021, 2022, 2023],
        notes: ["A note."],
        findings: ["A finding."],
        basis: {
          declaration: "0c",
          engine: "3",
          hours: [{ start: Date.UTC(2023, 0, 1), length: 8760, hash: "0d" }],
          periods: [{ label: "2024-01", energy: null }, { label: "2024-02", energy: 0.1 + 0.2 }],
        },
        meanAnnualEnergy: 8_123_456.5,
        pointDistance: null,
        hourCorrelation: null,
        normalMonths: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12.5],
        uncertainty: {
          draws: 1000,
          seed: 1,
          block: 2,
          k: { low: 0.9, high: 0.96 },
          longTerm: { low: 7_600_000, high: 8_700_000 },
          parts: { calibration: 0.04, season: 0, level: 0.05, spread: 0 },
          interAnnualVariability: 0.06,
        },
      },
      modelFile: "0b.parquet",
    },
    months,
  };
}

export function site(changes: Partial<SiteRecord> = {}): SiteRecord {
  return {
    site: "coast",
    fingerprint: "1",
    world: "own",
    datasets: [dataset],
    points: [point],
    turbines: [turbine("T1", [month(1), month(2)])],
    ...changes,
  };
}

/** Picks the figures of a month that the API reports, without the store's additions. */
export function pickFigures(stored: StoredMonth | undefined): Record<string, unknown> | undefined {
  return stored && Object.fromEntries(windIndicesCsv.map(({ name }) => [name, stored[name]]));
}

export const licence: Licence = {
  serialNumber: "S-1",
  email: "a@example.com",
  expires: "2030-12-31",
  turbines: ["T1", 'T"2'],
  datasets: [],
};

export const order: Order = {
  id: "order-1",
  serialNumber: "S-1",
  serviceId: "era5",
  parameters: { lat: 55.5, lon: -7.75, start_year: 2020, filetype: "csv" },
  state: "placed",
};
