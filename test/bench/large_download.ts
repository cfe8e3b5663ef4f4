import { measureGrowth } from "./_growth.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { startServer } from "./_served.ts";

const HOURS = 86 * 8766;
const COLUMNS = 36;

/** Writes an hourly climate file of some 200 MB. */
async function write(path: string): Promise<number> {
  using file = await Deno.open(path, { write: true, truncate: true });
  const names = Array.from({ length: COLUMNS }, (_, i) => `wSpeed.${10 + i}`);
  let rows = [["time", ...names].join("\t")];
  const start = Date.UTC(1940, 0, 1);
  const encoder = new TextEncoder();
  for (let hour = 0; hour < HOURS; hour++) {
    const stamp = new Date(start + hour * 3_600_000).toISOString().slice(0, 19) + "Z";
    const speed = 8 + 5 * Math.sin(hour / 17);
    rows.push(`${stamp}${"\t".concat(speed.toFixed(4)).repeat(COLUMNS)}`);
    if (rows.length === 20_000 || hour === HOURS - 1) {
      const bytes = encoder.encode(rows.join("\n") + "\n");
      for (let written = 0; written < bytes.length;) {
        written += await file.write(bytes.subarray(written));
      }
      rows = [];
    }
  }
  return (await file.stat()).size;
}

/** Measures the memory of a large download to a frame, against the size of the frame. */
export async function largeDownload(): Promise<BenchmarkRow> {
  const path = await Deno.makeTempFile({ suffix: ".csv" });
  const size = await write(path);
  await using server = await startServer(path, { "content-type": "text/tab-separated-values" });
  const { growth, frame, milliseconds } = await measureGrowth("climate", server.url);
  await Deno.remove(path);
  const factor = growth / frame;
  return {
    what: `load a download of ${(size / 1e6).toFixed(0)} MB`,
    measured: `${(milliseconds / 1000).toFixed(1)} s, memory grows by ${
      factor.toFixed(2)
    } x the frame`,
    bound: "at most 2 x the frame",
    holds: factor <= 2,
  };
}
