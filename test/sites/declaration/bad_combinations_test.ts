import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { type BadInput, badInputSuite, climateOf, monthly, turbineOf } from "../_bad_input.ts";

const contradictions: readonly BadInput[] = [
  {
    name: "production outside of the climate record",
    spoil: (site) =>
      site.edit(
        "production.csv",
        (text) => text.replaceAll("\n2023-", "\n1998-").replaceAll("\n2022-", "\n1997-"),
      ),
    error: ArgumentError,
    place: ["E1", "1997-12-31 to 1998-12-31", "2022-12-31 to 2025-01-01"],
    remedy: /Give climate data for that time/,
  },
  {
    name: "monthly production outside of the climate record",
    spoil: async (site) => {
      await site.edit("production_monthly.csv", (text) => {
        const [header, ...rows] = text.trimEnd().split("\n");
        return [header, ...rows.slice(0, 24), ""].join("\n"); // 2020 and 2021
      });
      turbineOf(site).production = [monthly];
    },
    error: ArgumentError,
    place: ["E1", "2019-12-31 to 2021-12-31", "2022-12-31 to 2025-01-01"],
    remedy: /Give climate data for that time/,
  },
  {
    name: "two production files over the same time",
    spoil: async (site) => {
      await Deno.copyFile(site.path("production.csv"), site.path("again.csv"));
      const { production } = turbineOf(site);
      production.push({ ...production[0], file: "again.csv" });
    },
    error: ArgumentError,
    place: ["E1", "production.csv", "again.csv"],
    remedy: /would count twice. Leave out one of these files/,
  },
  {
    name: "hourly and monthly production over the same time",
    spoil: (site) => void turbineOf(site).production.push(monthly),
    error: ArgumentError,
    place: ["E1", "production.csv", "production_monthly.csv"],
    remedy: /would count twice. Leave out one of these files/,
  },
  {
    name: "two climate files over the same time",
    spoil: async (site) => {
      await Deno.copyFile(site.path("climate.csv"), site.path("again.csv"));
      climateOf(site).files.push("again.csv");
    },
    error: DataFormatError,
    place: ["climate.csv", "again.csv"],
    remedy: /their hours overlap. Leave out one of these files/,
  },
  {
    name: "two climate sources for the same point",
    spoil: ({ declared }) => void declared.climate.push(declared.climate[0]),
    error: ArgumentError,
    place: ["climate", "55.5", "8"],
    remedy: /is duplicated/,
  },
  {
    name: "no height that has a speed and a direction of the wind",
    spoil: (site) => {
      const { variables } = climateOf(site);
      delete variables!.wind_speed_10;
      delete variables!.wind_speed_100;
    },
    error: ArgumentError,
    place: ["climate.csv"],
    remedy: /A height needs wind_speed_H and wind_direction_H/,
  },
  ...["wind_speed_10", "wind_direction_100"].map((left): BadInput => ({
    // If the height were silently left out, every figure would change.
    name: `a height whose ${left} is missing, next to a complete one`,
    spoil: (site) => void delete climateOf(site).variables![left],
    error: ArgumentError,
    place: ["climate.csv", left],
    remedy: /needs/,
  })),
  {
    name: "climate that has become shorter than the reference period",
    spoil: (site) => site.editLines("climate.csv", (lines) => lines.slice(0, 10_000)),
    error: ArgumentError,
    place: ["E1", "2023 to 2024"],
    remedy: /recalibrate/,
  },
  {
    name: "production without a value",
    spoil: (site) => site.editColumn("production.csv", "power", () => ""),
    error: ArgumentError,
    place: ["E1"],
    remedy:
      /no period of its production can be used .*Correct these periods, or give production of other periods/,
  },
];

badInputSuite("imports of contradictory files", contradictions);
