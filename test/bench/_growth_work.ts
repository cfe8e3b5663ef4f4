/** Runs a piece of work and measures its memory. Arguments: its name, address of a server. Prints JSON. */
import type { DataFrame } from "nodejs-polars";
import { connect } from "../../src/client/connection/connection.ts";
import { downloadClimate } from "../../src/client/calls/climate_data.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { readCsv } from "../../src/frames/csv/csv_reader.ts";
import { modelDataCsv } from "../../src/api/columns/columns.ts";
import { measured } from "./_memory.ts";

const [work, url] = Deno.args;
const home = await Deno.makeTempDir();
const connection = connect({ url, home, progress: false });

/** Bytes of a frame whose columns take eight each. */
const bytesOf = (frame: DataFrame) => frame.height * frame.width * 8;

const works: Readonly<Record<string, () => Promise<DataFrame>>> = {
  model_data: () => modelData("T1", { connection }),
  climate: () =>
    downloadClimate("era5", {
      latitude: 55,
      longitude: 8,
      from: 1940,
      to: 2025,
      fileType: "csv",
      connection,
    }),
};

// Loads Polars and the reader first, because their memory does not count.
readCsv(
  new TextEncoder().encode("time,wind_speed,power\n2024-01-01T00:00:00Z,1,2\n"),
  modelDataCsv,
  { file: "warm-up" },
);
const result = await measured(async () => bytesOf(await works[work]()));
console.log(JSON.stringify(result));
await Deno.remove(home, { recursive: true });
