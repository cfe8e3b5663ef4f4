/**
 * Compares Kelmarsh with climate from a source, by fake servers with the real series of ../shared/data, against
 * Kelmarsh with the same series as a file. The data are not part of the project: without them these tests are skipped;
 * their names say why.
 *
 * Both sides lack relative humidity, which `era5()` does not request, and the file's flags for preliminary hours of
 * 2019 and 2020, which have settled since. Open-Meteo is compared with the file of Kelmarsh, because both have speeds
 * and directions. The Climate Data Store is compared with a file of components, whose speeds differ only by rounding in
 * the 16th digit.
 *
 * Kelmarsh wind farm data, CC-BY-4.0, doi 10.5281/zenodo.5841833; contains modified Copernicus Climate Change Service
 * information; power curves: Open Energy Database turbine library, ODbL-1.0.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { getEra5 } from "../../src/era5/era5.ts";
import { extractEpochs, extractNumbers } from "../../src/frames/frame.ts";
import type {
  ReanalysisDefinition,
  SiteDefinition,
} from "../../src/sites/declaration/site_definition.ts";
import { defineSite } from "../../src/sites/declaration/define_site.ts";
import type { FetchEra5 } from "../../src/sites/climate/fetch_reanalyses.ts";
import { importSite } from "../../src/sites/import_site.ts";
import { environmentOf, exists } from "../era5/_cds_call.ts";
import { withCds } from "../era5/_cds_server.ts";
import { withOpenMeteo } from "../era5/_open_meteo_server.ts";
import { allAnswers } from "./declaration/_all_answers.ts";
import { toDefinition } from "./declaration/_definition.ts";
import { fetchFrom } from "./_sourced_site.ts";

const SITES = new URL("./", import.meta.url).pathname;
const SERIES =
  new URL("../../../shared/data/kelmarsh/era5_52.50N_-1.00E.parquet", import.meta.url).pathname;

/** Registers a test that needs the real series. */
function check(name: string, body: () => Promise<void>): void {
  if (exists(SERIES)) it(name, body);
  else it.ignore(`${name} (skipped: ${SERIES} is missing)`, body);
}

async function defineKelmarsh(): Promise<SiteDefinition> {
  return toDefinition(JSON.parse(await Deno.readTextFile(`${SITES}kelmarsh.json`)), SITES);
}

/** Returns all answers of the service about two turbines with the given climate. */
async function answersOf(
  climate: ReanalysisDefinition["climate"],
  fetch?: FetchEra5,
): Promise<Record<string, string>> {
  const data = await Deno.makeTempDir();
  try {
    const site = defineSite({ ...await defineKelmarsh(), climate });
    await importSite(site, { data, ...(fetch ? { era5: fetch } : {}) });
    const answers = await allAnswers(data, ["KWF1", "KWF5"], ["2018-05", "2021-06"]);
    for (const [path, text] of Object.entries(answers)) assert(text.startsWith("200 "), path);
    return answers;
  } finally {
    await Deno.remove(data, { recursive: true });
  }
}

const PERIOD = { points: 1, from: "2017-08", to: "2021-07" } as const;

/** A column of the series, by instant. */
function readColumn(file: DataFrame, column: string): (at: number) => number {
  const [start] = extractEpochs(file, "datetime_start_utc");
  const values = extractNumbers(file, column);
  return (at) => values[(at - start) / 3_600_000];
}

describe("Kelmarsh with climate from its source", () => {
  check("Open-Meteo gives the answers of its file, byte for byte", async () => {
    const { climate } = await defineKelmarsh();
    if ("source" in climate) throw new Error("Kelmarsh has its climate from a file");
    const { relative_humidity: _, preliminary: __, ...variables } = climate[0].variables!;
    const fromFile = await answersOf([{ ...climate[0], variables }]);
    const file = pl.readParquet(SERIES);
    const pressure = readColumn(file, "0_m_pres_mean_pa");
    const columns: Readonly<Record<string, (at: number) => number>> = {
      wind_speed_100m: readColumn(file, "100_m_hws_mean_mps"),
      wind_direction_100m: readColumn(file, "100_m_hwd_mean_deg-n_true"),
      wind_speed_10m: readColumn(file, "10_m_hws_mean_mps"),
      wind_direction_10m: readColumn(file, "10_m_hwd_mean_deg-n_true"),
      temperature_2m: readColumn(file, "2_m_temp_mean_deg-c"),
      surface_pressure: (at) => Number(`${pressure(at)}e-2`), // hPa
    };
    await withOpenMeteo(async (server) => {
      server.valueOf = (name, _latitude, _longitude, at) => columns[name](at);
      const fetched = await answersOf(
        { source: "open-meteo", ...PERIOD },
        async (options) =>
          await getEra5(
            { ...options, connection: server.connection },
            environmentOf({ OPEN_METEO_URL: server.url }),
          ),
      );
      assertEquals(fetched, fromFile);
    });
  });

  check("the Climate Data Store gives those of a file of components, byte for byte", async () => {
    const file = pl.readParquet(SERIES);
    const part = (height: number, side: (radians: number) => number) => {
      const speed = readColumn(file, `${height}_m_hws_mean_mps`);
      const direction = readColumn(file, `${height}_m_hwd_mean_deg-n_true`);
      return (at: number) => -speed(at) * side(direction(at) * Math.PI / 180);
    };
    const celsius = readColumn(file, "2_m_temp_mean_deg-c");
    const columns: Readonly<Record<string, (at: number) => number>> = {
      u100: part(100, Math.sin),
      v100: part(100, Math.cos),
      u10: part(10, Math.sin),
      v10: part(10, Math.cos),
      t2m: (at) => celsius(at) + 273.15,
      sp: readColumn(file, "0_m_pres_mean_pa"),
    };
    const stamps = extractEpochs(file, "datetime_start_utc");
    const components = await Deno.makeTempFile({ suffix: ".parquet" });
    pl.DataFrame([
      file.getColumn("datetime_start_utc").rename("time"),
      ...Object.entries(columns).map(([name, at]) => pl.Series(name, stamps.map(at), pl.Float64)),
    ]).writeParquet(components);
    const fromFile = await answersOf([{
      files: [components],
      latitude: 52.5,
      longitude: -1,
      stamp: "instant",
      time: { column: "time", zone: "UTC" },
      variables: {
        wind_u_100: { column: "u100", unit: "m/s" },
        wind_v_100: { column: "v100", unit: "m/s" },
        wind_u_10: { column: "u10", unit: "m/s" },
        wind_v_10: { column: "v10", unit: "m/s" },
        temperature: { column: "t2m", unit: "K" },
        pressure: { column: "sp", unit: "Pa" },
      },
    }]);
    await Deno.remove(components);
    await withCds(async (server) => {
      server.limit = Infinity;
      server.valueOf = (name, _latitude, _longitude, at) => columns[name](at);
      const fetched = await answersOf({ source: "cds", ...PERIOD }, fetchFrom(server));
      assertEquals(fetched, fromFile);
    });
  });
});
