import {
  checkQuality,
  connect,
  coverage,
  modelData,
  monthlyIndices,
  orderAndWait,
  plotFleetMonth,
  plotMonthlyIndices,
  turbineDetails,
  turbines,
} from "../../mod.ts";
import { SAMPLE_TIME } from "../api/world.ts";
import { makeFleetReport, saveReport } from "../report/mod.ts";
import { readSampleProduction } from "../service/mod.ts";
import { startProgress } from "../show/progress.ts";
import { checkFleet, formatFleet } from "./answers/check_fleet.ts";
import type { Command } from "./command/command.ts";
import { wrap } from "./command/run_command.ts";

/** Turbines of the sample with known months, and the month in which one of them stood still for a week. */
const [FLEET, MONTH] = [["T1", "T2", "T4", "T5", "T6", "T7"], "2024-03"];

/** Width of the output, characters. */
const WIDTH = 80;

/** The whole workflow on the SYNTHETIC sample: first the answer, then the steps to it. */
export const demo: Command = {
  forms: [""],
  options: {},
  example: "",
  notes: ["It needs no network, no key and no data; it takes some seconds."],
  resume: "The computed sample is kept. Run the same command to start again; it will be faster.",
  async run({ signal }) {
    const started = performance.now();
    console.log(
      "Vindkit with its built-in sample. All figures are SYNTHETIC: no real turbine, no real wind.\n",
    );
    const step = async <T>(
      title: string,
      act: () => Promise<T>,
      describe: (result: T) => string,
    ): Promise<T> => {
      const started = performance.now();
      using progress = startProgress(title);
      const result = await act();
      signal.throwIfAborted();
      progress.end();
      const seconds = ((performance.now() - started) / 1000).toFixed(2);
      console.log(`${seconds.padStart(6)} s  ${title.padEnd(24)} ${describe(result)}`);
      return result;
    };
    await using connection = connect({ sample: true, progress: false });
    const call = { connection, signal };
    const production = readSampleProduction();

    const answer = await checkFleet(FLEET, production, { month: MONTH }, undefined, call);
    const { fleet } = answer;
    signal.throwIfAborted();
    console.log(
      ["March 2024: was it the wind or the turbines?", ...fleet.summary]
        .flatMap((line) => wrap(line, WIDTH)).join("\n"),
    );
    console.log(`\n${formatFleet(answer)}\n`);
    await Deno.mkdir("out/demo", { recursive: true });
    for (const form of ["svg", "png"]) {
      await plotFleetMonth(fleet).save(`out/demo/fleet_month.${form}`);
    }
    console.log("The same as a chart: out/demo/fleet_month.svg and .png\n\nStep by step:");

    const all = await step(
      "turbines",
      () => turbines({ connection }),
      (frame) => `${frame.height} turbines: ${frame.getColumn("turbine_id").toArray().join(", ")}`,
    );
    const details = await step(
      "details of T1",
      () => turbineDetails("T1", call),
      ({ name, hub_height, rated_power, reference_from, reference_to }) =>
        `${name}, hub height ${hub_height} m, ${rated_power} kW; normal is the mean of ${reference_from} to ${reference_to}`,
    );
    const model = await step(
      "model data",
      () => modelData("T1", call),
      (frame) =>
        `${frame.height} hours of wind and power; mean wind at hub height ` +
        `${frame.getColumn("wind_speed").mean().toFixed(2)} m/s`,
    );
    const indices = await step(
      "indices of two years",
      () => monthlyIndices("T1", { from: "2023-01", to: "2024-12", ...call }),
      (frame) => {
        const last = frame.getColumn("last12_month_index").toArray().at(-1) as number;
        return `${frame.height} months; 2024 had ${last.toFixed(1)} % of a normal year's energy`;
      },
    );
    const place = { latitude: details.latitude!, longitude: details.longitude! };
    await step(
      "coverage",
      () => coverage("era5", { ...place, numPoints: 4, ...call }),
      (frame) => {
        const away = frame.getColumn("distance_to_request_location").toArray()[0] as number;
        return `${frame.height} climate points near T1, the nearest ${away.toFixed(1)} km away`;
      },
    );
    await step(
      "order and wait",
      () => orderAndWait("era5", { ...place, from: 2005, to: 2024, ...call }),
      (frame) => `${frame.height} hours of climate data, ${frame.width} columns`,
    );
    await step(
      "quality of production",
      () =>
        Promise.resolve(checkQuality(production.get("T1")!, {
          ratedPower: details.rated_power!,
          timeZone: details.time_zone,
          predicted: model,
        })),
      ({ summary: [first] }) => first.split(";")[0],
    );
    await step(
      "chart",
      () => plotMonthlyIndices(indices).save("out/monthly_indices.svg"),
      () => "out/monthly_indices.svg",
    );
    await step(
      "report",
      async () => {
        const generatedAt = SAMPLE_TIME; // makes the files of two runs identical
        const report = await makeFleetReport(FLEET, {
          month: MONTH,
          production,
          generatedAt,
          ...call,
        });
        return saveReport(report, "out/demo");
      },
      ({ files, bytes }) =>
        `${files} files in out/demo, ${(bytes / 1000).toFixed(0)} kB, need no network`,
    );
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(
      `\nDone in ${seconds} s with ${all.height} turbines. Open out/demo/index.html in a browser.`,
    );
  },
};
