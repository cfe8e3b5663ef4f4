/**
 * A user's own fleet, served over HTTP: any number of turbines, with missing and preliminary months, and names that are
 * markup. Calibrations and figures come from a turbine of the sample.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { issueLocalKey } from "../../../src/service/licences/licences.ts";
import { openSample, openService } from "../../../src/service/running/service.ts";
import { serve } from "../../../src/service/running/serve.ts";
import type { FreshMonth, StoredTurbine } from "../../../src/sites/keep/site_record.ts";
import { SHARED_SAMPLE } from "../_sample.ts";
import { dataset, site } from "../../storage/store/_records.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

/** A served fleet. */
export interface Fleet {
  readonly url: string;
  readonly key: string;
  /** Its data directory. */
  readonly data: string;
  close(): Promise<void>;
}

/** Properties of a turbine of the fleet. */
export interface FleetTurbine {
  readonly id: string;
  readonly name: string;
  readonly latitude: number;
  readonly longitude: number;
  /** Months without a row, `2025-03`. */
  readonly absent?: readonly string[];
  /** Months with a row without figures. */
  readonly empty?: readonly string[];
  /** Preliminary months. */
  readonly preliminary?: readonly string[];
}

/** Months that a turbine of the fleet has. */
const MONTHS = 40;

const labelOf = ({ year, month }: FreshMonth) => `${year}-${String(month).padStart(2, "0")}`;

/** A calibrated turbine of the sample with its months. */
async function example(
  count: number,
): Promise<{ stored: StoredTurbine; months: FreshMonth[] }> {
  const sample = await openSample({ folder: SHARED_SAMPLE, trusted: true });
  await (await sample.fetch(new Request("http://x/wind-index/calibrated/details/T2"))).text();
  await sample.close();
  const { store } = await openStorage(SHARED_SAMPLE);
  const stored = await sitesOf(store).turbine("T2");
  const months = await sitesOf(store).months("T2");
  await store.close();
  return { stored: stored!, months: months.slice(-count) };
}

function buildMonths(months: readonly FreshMonth[], turbine: FleetTurbine): FreshMonth[] {
  const { absent = [], empty = [], preliminary = [] } = turbine;
  return months.filter((month) => !absent.includes(labelOf(month))).map((month) => ({
    ...month,
    ...(empty.includes(labelOf(month))
      ? { month_index: null, month_abnormality_index: null, last12_month_index: null }
      : {}),
    status: preliminary.includes(labelOf(month)) ? "preliminary" : "final",
  }));
}

/**
 * Makes a data directory of turbines.
 *
 * @param count Months of each turbine
 * @returns Its path, and a key of the local licence
 */
export async function makeFleet(
  turbines: readonly FleetTurbine[],
  count: number = MONTHS,
): Promise<{ data: string; key: string }> {
  const { stored, months } = await example(count);
  const data = await Deno.makeTempDir();
  const { store } = await openStorage(data, { create: true });
  await putSite(
    store,
    site({
      site: "fleet",
      datasets: [{ ...dataset, url: "", attribution: ["Weather: <b>somebody</b>, of somewhere"] }],
      points: [],
      turbines: turbines.map((turbine) => ({
        stored: {
          ...stored,
          turbine: {
            ...stored.turbine,
            id: turbine.id,
            name: turbine.name,
            latitude: turbine.latitude,
            longitude: turbine.longitude,
          },
        },
        months: buildMonths(months, turbine),
      })),
    }),
  );
  const key = await issueLocalKey(store.licences);
  await store.close();
  return { data, key };
}

/** Serves turbines as a user's own data. */
export async function serveFleet(turbines: readonly FleetTurbine[]): Promise<Fleet> {
  const { data, key } = await makeFleet(turbines);
  const server = serve(await openService(data));
  return {
    url: server.url,
    key,
    data,
    close: async () => {
      await server.close();
      await Deno.remove(data, { recursive: true });
    },
  };
}
