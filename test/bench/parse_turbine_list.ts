import { parseJson } from "../../src/frames/files/json.ts";
import { shortest } from "./_timing.ts";
import type { BenchmarkRow } from "./_measured.ts";

const TURBINES = 10_000;

/** Measures a list of turbine records in the client's parser, which also checks, against `JSON.parse()`. */
export async function parseTurbineList(): Promise<BenchmarkRow> {
  const record = {
    name: "Example",
    latitude: 55.5,
    longitude: 7.9,
    hub_height: 80,
    rated_power: 2300,
  };
  const text = JSON.stringify(
    Array.from({ length: TURBINES }, (_, i) => ({ ...record, turbine_id: `T${i}` })),
  );
  const ours = await shortest(8, () => void parseJson(text));
  const platform = await shortest(8, () => void JSON.parse(text));
  return {
    what: `parse the records of ${TURBINES} turbines`,
    measured: `${ours.toFixed(0)} ms (JSON.parse: ${platform.toFixed(0)} ms)`,
    bound: "100 ms or less",
    holds: ours <= 100,
  };
}
