import pl from "nodejs-polars";
import { readProduction } from "../../src/frames/presets/read_production.ts";
import { median, timed } from "./_timing.ts";
import type { BenchmarkRow } from "./_measured.ts";

/** Rows of a year of ten minutes, and columns of a SCADA export. */
const [ROWS, COLUMNS] = [52_560, 300];

/** Writes a SYNTHETIC year of a turbine in Greenbyte's layout, 150 MB, with the power in column 60. */
async function writeYear(path: string): Promise<void> {
  const names = Array.from(
    { length: COLUMNS },
    (_, c) => c === 0 ? "# Date and time" : c === 60 ? "Power (kW)" : `"Signal ${c}, mean (m/s)"`,
  );
  const start = Date.UTC(2016, 0, 1);
  const encoder = new TextEncoder();
  using file = await Deno.open(path, { write: true, create: true });
  const above = "# SYNTHETIC\n# Turbine: Kelmarsh 1\n# Time zone: UTC\n";
  await file.write(encoder.encode(`${above}${names.join(",")}\n`));
  for (let from = 0; from < ROWS; from += 1000) {
    const rows = Array.from({ length: Math.min(1000, ROWS - from) }, (_, i) => {
      const row = from + i;
      const stamp = new Date(start + row * 600_000).toISOString().slice(0, 19).replace("T", " ");
      const values = Array.from(
        { length: COLUMNS - 1 },
        (_, c) => c % 17 === 3 ? "NaN" : ((row * 31 + c * 17) % 2000 / 7).toFixed(6),
      );
      return `${stamp},${values.join(",")}\n`;
    });
    const bytes = encoder.encode(rows.join(""));
    for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
  }
}

/** Measures reading a year of ten minutes with 300 columns, against nodejs-polars reading two columns of the same file. */
export async function readProductionYear(): Promise<BenchmarkRow[]> {
  const path = await Deno.makeTempFile({ suffix: ".csv" });
  await writeYear(path);
  const { size } = await Deno.stat(path);
  const columns = ["# Date and time", "Power (kW)"];
  const theirs = () => pl.readCSV(path, { columns, skipRows: 3 } as never);
  const ratios: number[] = [];
  let best = Infinity;
  for (let i = 0; i < 9; i++) { // in turns, so a passing load slows both
    const polars = await timed(theirs);
    const ours = await timed(() => readProduction(path, "greenbyte"));
    if (i >= 2) ratios.push(ours / polars);
    best = Math.min(best, ours);
  }
  const work = new URL("./_production_year_work.ts", import.meta.url);
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", work.pathname, path],
    stderr: "inherit",
  }).output();
  await Deno.remove(path);
  const peak = Number(new TextDecoder().decode(stdout));
  const ratio = median(ratios);
  const what = `read a year of 300 columns, ${(size / 1e6).toFixed(0)} MB`;
  return [{
    what,
    measured: `${best.toFixed(0)} ms, ${ratio.toFixed(2)} x polars, two columns`,
    bound: "at most 1.5 x nodejs-polars readCSV of two columns",
    holds: ratio <= 1.5,
  }, {
    what: `${what}, memory`,
    measured: `${peak.toFixed(0)} MB at most, the whole process`,
    bound: "at most 400 MB",
    holds: peak <= 400,
  }];
}
