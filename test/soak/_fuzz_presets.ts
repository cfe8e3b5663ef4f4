/**
 * The readers of presets, a good file of each, and how it is spoiled.
 *
 * @module
 */
import { readEvents } from "../../src/frames/events/read_events.ts";
import { readTurbines } from "../../src/frames/presets/read_turbines.ts";
import { recognizeFile } from "../../src/frames/presets/recognize_file.ts";
import {
  greenbyteEvents,
  greenbyteFile,
  hillOfTowieFile,
  oldRegister,
  tenMinutes,
} from "../frames/presets/_files.ts";
import { readProduction } from "../../src/frames/presets/read_production.ts";
import type { FuzzReader } from "./_fuzz_base.ts";
import {
  changeBytes,
  changeCell,
  changeLine,
  changeMember,
  changeXml,
  type Mutate,
} from "./_mutations.ts";

const text: readonly Mutate[] = [changeCell, changeCell, changeCell, changeLine, changeBytes(60)];

/** The readers of presets by name. */
export const presetReaders: Readonly<Record<string, FuzzReader>> = {
  "preset text": {
    firstCheck: /is not UTF-8|is NUL|UTF-16|web page|it is empty|no header|no line|is missing/,
    bases: () => {
      const stamps = tenMinutes(
        "2016-03-01 00:00:00",
        Array.from({ length: 200 }, (_, i) => String(i)),
      );
      const rows = [
        "2021-03-01 10:00:00,2021-03-01 12:00:00,02:00:00,Stop,250,Gearbox,,,Forced outage",
        "2021-03-02 11:40:00,-,-,Informational,1,Hello,,,",
      ];
      const ends = stamps.map(([stamp]) => stamp);
      return Promise.resolve([
        {
          file: "Turbine_Data_1.csv",
          bytes: greenbyteFile({ rows: [...stamps, ...stamps] }),
          mutations: text,
          read: (path) => readProduction(path, "greenbyte"),
        },
        {
          file: "Status_1.csv",
          bytes: greenbyteEvents(Array.from({ length: 50 }, () => rows).flat()),
          mutations: text,
          read: (path) => readEvents(path, "greenbyte"),
        },
        {
          file: "tblSCTurGrid_1.csv",
          bytes: hillOfTowieFile(["1", "2"], ends),
          mutations: text,
          read: (path) => readProduction(path, "hill-of-towie"),
        },
        {
          file: "any.csv",
          bytes: hillOfTowieFile(["1", "2"], ends),
          mutations: text,
          read: (path) => recognizeFile(path),
        },
      ]);
    },
  },
  "preset workbook": {
    firstCheck: /Cannot unzip/,
    bases: async () => {
      const turbines = Array.from({ length: 20 }, (_, i) => ({
        id: `57071500000006460${i}`,
        connected: "2002-11-01",
        east: 426_000 + i,
        north: 6_150_000,
        months: [1000 * i, null],
      }));
      const base = {
        file: "anlaeg.xlsx",
        bytes: await oldRegister(turbines, [], 2),
        mutations: [changeMember(changeXml), changeMember(changeXml), changeBytes(0)],
      };
      return [
        { ...base, read: (path) => readProduction(path, "danish-register") },
        { ...base, read: (path) => readTurbines(path, "danish-register") },
        { ...base, read: (path) => recognizeFile(path) },
      ];
    },
  },
};
