import {
  compareActual,
  connect,
  coverage,
  exampleFile,
  modelData,
  monthlyIndices,
  orderAndWait,
  plotMonthlyIndices,
  readProduction,
  turbineDetails,
  turbines,
} from "../../mod.ts";
import { fleetReport, saveReport } from "../report/mod.ts";
import { startProgress } from "../show/progress.ts";
import { SAMPLE_TIME } from "../api/world.ts";
import type { Command } from "./command.ts";

/** The whole main job on the SYNTHETIC sample, step by step. */
export const demo: Command = {
  forms: [""],
  options: {},
  example: "",
  notes: ["It needs no network, no key and no data; it takes some seconds."],
  rest: 0,
  resume: "What is made of the sample is kept: the same command begins again, and is faster.",
  async run({ signal }) {
    const started = performance.now();
    console.log(
      "Vindkit on its built-in sample. All figures are SYNTHETIC: no real turbine, no real wind.\n",
    );

    const step = async <T>(
      title: string,
      act: () => Promise<T>,
      describe: (result: T) => string,
    ): Promise<T> => {
      const begun = performance.now();
      using progress = startProgress(title);
      const result = await act();
      signal.throwIfAborted();
      progress.end();
      const seconds = ((performance.now() - begun) / 1000).toFixed(2);
      console.log(`${seconds.padStart(6)} s  ${title.padEnd(24)} ${describe(result)}`);
      return result;
    };
    const connection = connect({ sample: true });

    const fleet = await step(
      "turbines",
      () => turbines({ connection }),
      (frame) => `${frame.height} turbines: ${frame.getColumn("turbine_id").toArray().join(", ")}`,
    );

    const details = await step(
      "details of T1",
      () => turbineDetails("T1", { connection }),
      ({ name, hub_height, rated_power, time_zone }) =>
        `${name}, hub height ${hub_height} m, ${rated_power} kW, ${time_zone}`,
    );

    const model = await step(
      "model data",
      () => modelData("T1", { from: 2021, to: 2024, connection }),
      (frame) =>
        `${frame.height} hours of wind and power; mean wind at hub height ` +
        `${frame.getColumn("wind_speed").mean().toFixed(2)} m/s`,
    );

    const indices = await step(
      "indices of two years",
      () => monthlyIndices("T1", { from: "2023-01", to: "2024-12", connection }),
      (frame) => {
        const last = frame.getColumn("last12_month_index").toArray().at(-1) as number;
        return `${frame.height} months; 2024 had ${last.toFixed(1)} % of a normal year's energy`;
      },
    );

    const place = { latitude: details.latitude!, longitude: details.longitude! };
    await step(
      "coverage",
      () => coverage("era5", { ...place, numPoints: 4, connection }),
      (frame) => {
        const away = frame.getColumn("distance_to_request_location").toArray()[0] as number;
        return `${frame.height} climate points near T1, the nearest ${away.toFixed(1)} km away`;
      },
    );

    await step(
      "order and wait",
      () => orderAndWait("era5", { ...place, from: 2005, to: 2024, connection }),
      (frame) => `${frame.height} hours of climate data, ${frame.width} columns`,
    );

    const comparison = await step(
      "actual against predicted",
      async () => {
        const production = await readProduction(await exampleFile("production.csv"), {
          column: "power",
          time: "time",
          resolution: "hour",
          unit: "kW",
        });
        return compareActual(production, model);
      },
      (frame) => {
        const sum = (column: string) => frame.getColumn(column).sum();
        return `${frame.height} months; produced ${
          (100 * sum("produced") / sum("predicted")).toFixed(1)
        } % of predicted`;
      },
    );

    await Deno.mkdir("out", { recursive: true });

    await step(
      "chart",
      async () => {
        await plotMonthlyIndices(indices).save("out/monthly_indices.svg");
        await plotMonthlyIndices(indices).save("out/monthly_indices.png");
      },
      () => "out/monthly_indices.svg and .png",
    );

    await step(
      "report",
      () => {
        const files = fleetReport([{ details, indices, comparison }], {
          month: "2024-12",
          generatedAt: SAMPLE_TIME, // so that two runs write the same files
        });
        return saveReport(files, "out/demo");
      },
      ({ files, bytes }) =>
        `${files} files in out/demo, ${(bytes / 1000).toFixed(0)} kB, need no network`,
    );

    await connection.close();
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `\nDone in ${seconds} s with ${fleet.height} turbines at hand. Open out/demo/index.html in a browser.`,
    );
  },
};
