/**
 * The readers of presets, each with a valid file and its mutations.
 *
 * @module
 */
import { zipSync } from "fflate";
import { readEvents } from "../../src/frames/events/read_events.ts";
import { readProduction } from "../../src/frames/presets/read_production.ts";
import { readTurbines } from "../../src/frames/presets/read_turbines.ts";
import { recognizeFile } from "../../src/frames/presets/recognize_file.ts";
import {
  edpFile,
  greenbyteEvents,
  greenbyteFile,
  hillOfTowieFile,
  newRegister,
  oldRegister,
  tenMinutes,
} from "../frames/presets/_files.ts";
import type { FuzzReader } from "./_fuzz_base.ts";
import {
  changeBytes,
  changeCell,
  changeLine,
  changeMember,
  changeXml,
  type Mutate,
} from "./_mutations.ts";

const mutations: readonly Mutate[] = [
  changeCell,
  changeCell,
  changeCell,
  changeLine,
  changeBytes(60),
];

/** Messages of the checks before the table is read. */
const firstCheck =
  /is not UTF-8|is NUL|UTF-16|web page|it is empty|no header|no line|column ".*" is missing|Cannot unzip/;

const powers = Array.from({ length: 200 }, (_, i) => i % 37 === 5 ? "NaN" : String(i));
const stamps = tenMinutes("2016-03-01 00:00:00", powers);
const ends = stamps.map(([stamp]) => stamp);
/** Has enough columns to be skimmed, and each time twice, as in Greenbyte files of 2023. */
const data = greenbyteFile({
  rows: [...stamps, ...stamps],
  before: Array.from({ length: 30 }, (_, i) => `"Signal ${i}, mean (m/s)"`),
});
const log = greenbyteEvents(
  Array.from({ length: 50 }, (_, i) => [
    `2021-03-01 ${
      String(i % 24).padStart(2, "0")
    }:00:00,2021-03-02 12:00:00,12:00:00,Stop,250,Gearbox,,,Forced outage`,
    `2021-03-02 11:${10 + i}:00,-,-,Informational,1,"Hello, all",,,`,
  ]).flat(),
  true,
);
const long = hillOfTowieFile(["1", "2"], ends);

/** The readers of presets by name. */
export const presetReaders: Readonly<Record<string, FuzzReader>> = {
  "preset export": {
    firstCheck,
    bases: () => {
      const base = { file: "Turbine_Data_1.csv", bytes: data, mutations };
      return Promise.resolve([
        { ...base, read: (path) => readProduction(path, "greenbyte") },
        { ...base, read: (path) => recognizeFile(path) },
      ]);
    },
  },
  "preset status log": {
    firstCheck,
    bases: () => {
      const base = { file: "Status_1.csv", bytes: log, mutations };
      return Promise.resolve([{ ...base, read: (path) => readEvents(path, "greenbyte") }]);
    },
  },
  "preset long table": {
    firstCheck,
    bases: () => {
      const rows = ends.flatMap((stamp, i) =>
        ["T01", "T06"].map((id) => `${id},${stamp.replace(" ", "T")}Z,5.1,${i}`)
      );
      const base = { file: "tblSCTurGrid_1.csv", bytes: long, mutations };
      return Promise.resolve([
        { ...base, read: (path) => readProduction(path, "hill-of-towie") },
        { ...base, read: (path) => recognizeFile(path) },
        {
          file: "scada.csv",
          bytes: edpFile(rows),
          mutations,
          read: (path) => readProduction(path, "edp"),
        },
      ]);
    },
  },
  "preset archive": {
    firstCheck,
    bases: () => {
      const archive = {
        file: "all.zip",
        bytes: zipSync({
          "a/Turbine_Data_1.csv": data,
          "a/Turbine_Data_2.csv": greenbyteFile({ turbine: "Kelmarsh 2", rows: stamps }),
          "a/Status_1.csv": log,
        }),
        mutations: [...mutations.map(changeMember), changeMember(changeCell), changeBytes(0)],
      };
      return Promise.resolve([
        { ...archive, read: (path) => readProduction(path, "greenbyte") },
        { ...archive, read: (path) => readEvents(path, "greenbyte") },
        { ...archive, read: (path) => recognizeFile(path) },
      ]);
    },
  },
  "preset workbook": {
    firstCheck,
    bases: async () => {
      const turbines = Array.from({ length: 20 }, (_, i) => ({
        id: `57071500000006460${i}`,
        connected: "2002-11-01",
        east: 426_000 + i,
        north: 6_150_000,
        months: [1000 * i, null],
      }));
      const how = { mutations: [changeMember(changeXml), changeMember(changeXml), changeBytes(0)] };
      const old = { ...how, file: "anlaeg.xlsx", bytes: await oldRegister(turbines, [], 2) };
      const recent = { ...how, file: "Vinddata.xlsx", bytes: await newRegister(turbines) };
      return [
        { ...old, read: (path) => readProduction(path, "danish-register") },
        { ...old, read: (path) => readTurbines(path, "danish-register") },
        { ...old, read: (path) => recognizeFile(path) },
        { ...recent, read: (path) => readProduction(path, "danish-register") },
        { ...recent, read: (path) => readTurbines(path, "danish-register") },
      ];
    },
  },
};
