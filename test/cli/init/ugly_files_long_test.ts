/**
 * Twenty exports without a preset, of one SYNTHETIC year. One session of `init` leads each to its first index with the
 * right energy, and asks only for facts that only a person can know; these are listed with each export.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import type { CellValue } from "hucre/xlsx";
import { connect, exampleFile, monthlyIndices, readProduction } from "../../../mod.ts";
import { importSite } from "../../../src/sites/mod.ts";
import { askAll } from "../../../src/cli/init/init.ts";
import { MisuseError } from "../../../src/cli/command/command.ts";
import { zip } from "../../../src/frames/files/archive.ts";
import { openDialogue } from "./_dialogue.ts";

/** An hour of the year. */
interface Hour {
  readonly start: Temporal.Instant;
  /** Mean power, kW; `null` if missing. */
  readonly power: number | null;
}

/** Contents of files by name: a single file, or several in a folder named after the export. */
type Files = Readonly<Record<string, string | Uint8Array>>;

/** An export. */
interface Export {
  readonly name: string;
  /** Its files, for several hours or one turbine. */
  readonly files: (hours: readonly Hour[]) => Files | Promise<Files>;
  /** Its questions, with the answers of a person. */
  readonly asks: Readonly<Record<string, string>>;
  /** MWh missing compared with the year, because the readings lack them. @default {0} */
  readonly less?: number;
  /** Number of turbines, each with the whole year. @default {1} */
  readonly turbines?: number;
}

const two = (value: number) => String(value).padStart(2, "0");
const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

/** Formats times with letters: `YYYY`, `MM`, `MMM`, `DD`, `HH`, `hh`, `A`, `mm`. */
function format(time: Temporal.Instant, text: string, zone = "UTC"): string {
  const { year, month, day, hour, minute } = time.toZonedDateTimeISO(zone);
  const parts: Readonly<Record<string, string>> = {
    YYYY: String(year),
    MMM: MONTHS[month - 1],
    MM: two(month),
    DD: two(day),
    HH: two(hour),
    h: String(hour % 12 || 12),
    A: hour < 12 ? "AM" : "PM",
    mm: two(minute),
  };
  return text.replaceAll(/YYYY|MMM|MM|DD|HH|h|A|mm/g, (letters) => parts[letters]);
}

const show = (power: number | null, decimal = ".") =>
  power === null ? "" : power.toFixed(1).replace(".", decimal);

/** A text with a header and a row for each hour. */
const text = (header: string, hours: readonly Hour[], row: (hour: Hour, i: number) => string) =>
  [header, ...hours.map(row), ""].join("\n");

/** The readings of a meter at the start of each hour, kWh. */
function readMeter(hours: readonly Hour[], first: number): number[] {
  let reading = first;
  return hours.map(({ power }) => {
    const now = reading;
    reading += Math.max(0, power ?? 0);
    return now;
  });
}

const encode = (text: string, width: 1 | 2) => {
  const units = width === 1 ? text : `\ufeff${text}`;
  return new Uint8Array(
    Array.from(units, (one) => one.charCodeAt(0)).flatMap((code) =>
      width === 1 ? [code] : [code & 255, code >> 8]
    ),
  );
};

/** The months of the year, each as a file. */
function splitMonths(hours: readonly Hour[], row: (hour: Hour) => string): Files {
  const months = Map.groupBy(hours, ({ start }) => format(start, "YYYY_MM"));
  return Object.fromEntries(
    [...months].map((
      [month, monthHours],
    ) => [`scada_${month}.csv`, text("time,Power kW", monthHours, row)]),
  );
}

async function book(sheets: readonly { name: string; rows: CellValue[][]; merges?: unknown[] }[]) {
  const { writeXlsx } = await import("hucre/xlsx");
  return await writeXlsx({ sheets } as unknown as Parameters<typeof writeXlsx>[0]);
}

const [zone, stamp] = ["production-time-zone", "production-stamp"];
const utc = { [zone]: "UTC", [stamp]: "start" };
const seconds = (start: Temporal.Instant) => start.epochMilliseconds / 1000;

/** The twenty exports. */
const exports: readonly Export[] = [
  {
    name: "German, Latin-1, a title above and a total below, hours of the clock",
    files: (hours) => ({
      "anlage.csv": encode(
        "Bericht für Hügel 1\n\n" +
          text(
            "Zeit;Leistung Ø [kW]",
            hours,
            ({ start, power }) =>
              `${format(start, "DD.MM.YYYY HH:mm", "Europe/Berlin")};${show(power, ",")}`,
          ) +
          "Summe;9999,9\n",
        1,
      ),
    }),
    asks: { [zone]: "Europe/Berlin", [stamp]: "start" },
  },
  {
    name: "years first, with slashes, MW",
    files: (hours) => ({
      "a.csv": text(
        "date,active_power_mw",
        hours,
        ({ start, power }) =>
          `${format(start, "YYYY/MM/DD HH:mm")},${power === null ? "" : power / 1000}`,
      ),
    }),
    asks: utc,
  },
  {
    name: "years first, with points, the end of each hour",
    files: (hours) => ({
      "a.csv": text(
        "Tidspunkt;Effekt kW",
        hours,
        ({ start, power }) =>
          `${format(start.add({ hours: 1 }), "YYYY.MM.DD HH:mm")};${show(power, ",")}`,
      ),
    }),
    asks: { [zone]: "UTC", [stamp]: "end" },
  },
  {
    name: "digits alone, tabs",
    files: (hours) => ({
      "a.txt": text(
        "stamp\tEnergy kWh",
        hours,
        ({ start, power }) => `${format(start, "YYYYMMDD HHmm")}\t${show(power)}`,
      ),
    }),
    asks: utc,
  },
  {
    name: "months by their names",
    files: (hours) => ({
      "a.csv": text(
        "Date,Net Power [kW]",
        hours,
        ({ start, power }) => `${format(start, "DD-MMM-YYYY HH:mm")},${show(power)}`,
      ),
    }),
    asks: utc,
  },
  {
    name: "months first, AM and PM, thousands",
    files: (hours) => ({
      "a.csv": text(
        "Timestamp\tProduction (kWh)",
        hours,
        ({ start, power }) =>
          `${format(start, "MM/DD/YYYY h:mm A")}\t${
            power === null ? "" : power.toFixed(2).replace(/(\d)(\d{3}\.)/, "$1,$2")
          }`,
      ),
    }),
    asks: utc,
  },
  {
    name: "seconds since 1970",
    files: (hours) => ({
      "a.csv": text(
        "epoch,power_kw",
        hours,
        ({ start, power }) => `${seconds(start)},${show(power)}`,
      ),
    }),
    asks: { [stamp]: "start" },
  },
  {
    name: "days of Excel in a text",
    files: (hours) => ({
      "a.csv": text(
        "Datum/Zeit;Leistung kW",
        hours,
        ({ start, power }) =>
          `${(seconds(start) / 86_400 + 25_569).toFixed(9).replace(".", ",")};${show(power, ",")}`,
      ),
    }),
    asks: utc,
  },
  {
    name: "a workbook: notes in another sheet, a merged head, units, totals",
    files: async (hours) => ({
      "a.xlsx": await book([
        { name: "Notes", rows: [["Exported by", "me"]] },
        {
          name: "Data",
          rows: [
            ["Time", "WTG 1", null],
            ["", "Power", "Wind"],
            ["", "kW", "m/s"],
            ...hours.map(({ start, power }): CellValue[] => [
              new Date(start.epochMilliseconds),
              power,
              7,
            ]),
            ["Total", 1, 7],
          ],
          merges: [{ startRow: 0, startCol: 1, endRow: 0, endCol: 2 }],
        },
      ]),
    }),
    asks: utc,
  },
  {
    name: "Spanish, UTF-16, turbines below each other",
    files: (hours) => ({
      "a.txt": encode(
        text(
          "Fecha y hora\tMáquina\tPotencia activa (kW)",
          [...hours, ...hours],
          (hour, i) =>
            `${format(hour.start, "DD/MM/YYYY HH:mm")}\t${i < hours.length ? 1 : 2}\t${
              show(hour.power, ",")
            }`,
        ),
        2,
      ),
    }),
    asks: utc,
    turbines: 2,
  },
  {
    name: "French, turbines beside each other below a merged head",
    files: (hours) => ({
      "a.csv": ";Éolienne 1;;Éolienne 2;\n" +
        text(
          "Date;Production (kWh);Vent;Production (kWh);Vent",
          hours,
          ({ start, power }) =>
            `${format(start, "DD/MM/YYYY HH:mm")};${show(power, ",")};7,5;${show(power, ",")};7,5`,
        ),
    }),
    asks: utc,
    turbines: 2,
  },
  {
    name: "a meter that only rises",
    files: (hours) => {
      const meter = readMeter(hours, 3_739_000.5);
      return {
        "a.csv": text(
          "time,Energie kWh",
          [...hours],
          ({ start }, i) => `${start},${meter[i].toFixed(1)}`,
        ),
      };
    },
    asks: { [stamp]: "start", "production-counter": "true" },
  },
  {
    name: "a meter that restarts at a million",
    files: (hours) => {
      const meter = readMeter(hours, 900_000);
      return {
        "a.csv": text(
          "time;Zähler kWh",
          hours,
          ({ start }, i) => `${start};${(meter[i] % 1_000_000).toFixed(1)}`,
        ),
      };
    },
    asks: { [stamp]: "start", "production-counter": "1000000" },
  },
  {
    name: "a meter that was set back each month, a file a month in an archive",
    files: async (hours) => {
      const months = [...Map.groupBy(hours, ({ start }) => format(start, "YYYY_MM"))];
      const members = months.map(([month, monthHours]) => {
        const meter = readMeter(monthHours, 0);
        const rows = text(
          "time,Contador kWh",
          monthHours,
          ({ start }, i) => `${start},${meter[i].toFixed(1)}`,
        );
        return [`${month}.csv`, new TextEncoder().encode(rows)];
      });
      return { "a.zip": await zip(Object.fromEntries(members)) };
    },
    asks: { [stamp]: "start", "production-counter": "resets" },
    less: 9,
  },
  {
    name: "months in an archive, the first rows without a value",
    files: async (hours) => {
      const months = splitMonths(
        hours,
        ({ start, power }) => `${format(start, "YYYY-MM-DD HH:mm")},${show(power)}`,
      );
      const members = Object.entries(months).map(([name, content]) => [
        name,
        new TextEncoder().encode(`${content}`),
      ]);
      return { "a.zip": await zip(Object.fromEntries(members)) };
    },
    asks: utc,
  },
  {
    name: "months in a folder, the first rows without a value",
    files: (hours) =>
      splitMonths(
        hours,
        ({ start, power }) => `${format(start, "YYYY-MM-DD HH:mm")},${show(power)}`,
      ),
    asks: utc,
  },
  {
    name: "Danish monthly energies with their sum",
    files: (hours) => {
      const months = [...Map.groupBy(hours, ({ start }) => format(start, "MM-YYYY"))];
      const rows = months.map(([month, monthHours]) =>
        `${month};${
          (monthHours.reduce((sum, { power }) => sum + (power ?? 0), 0) / 1000).toFixed(4).replace(
            ".",
            ",",
          )
        }`
      );
      return { "a.csv": ["Måned;Energi (MWh)", ...rows, "I alt;1,5", ""].join("\n") };
    },
    asks: {},
  },
  {
    name: "a value that means missing",
    files: (hours) => ({
      "a.csv": text("time,power kW", hours, ({ start, power }) => `${start},${power ?? -999}`),
    }),
    asks: { [stamp]: "start", "production-null-values": "-999" },
  },
  {
    name: "no unit, and an order of day and month that only the gaps of the other one tell",
    files: (hours) => ({
      "a.csv": text(
        "time,power",
        hours.slice(0, 24 * 9),
        ({ start, power }) => `${format(start, "DD/MM/YYYY HH:mm")},${show(power)}`,
      ),
    }),
    asks: { "production-unit": "kW", ...utc },
  },
  {
    name:
      "days with their date once and the sum of each, 24:00, a mark of words, two columns that may be it",
    files: (hours) => ({
      "a.csv": "Bericht;01.01.2023 bis 31.12.2023;;\n" +
        text("Datum;Uhrzeit;Leistung kW;Leistung Netz kW", hours, ({ start, power }, i) => {
          const hour = start.toZonedDateTimeISO("UTC").hour;
          const mean = power === null ? i < 200 ? "" : "k.A." : show(power, ",");
          const day = hour === 0 ? `So ${format(start, "DD.MM.")}23` : "";
          const row = `${day};${two(hour + 1)}:00;${mean};${mean}`;
          return hour === 23 ? `${row}\n;Tagessumme;9.999,9;9.999,9` : row;
        }),
    }),
    asks: { "production-column": "Leistung kW", [zone]: "UTC", [stamp]: "end" },
  },
];

describe("twenty ugly files", () => {
  let folder: string;
  let hours: Hour[];
  let options: Record<string, string[]>;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const lines = (await Deno.readTextFile(await exampleFile("production.csv"))).trim().split("\n");
    const all = lines.slice(2).map((line): Hour => {
      const [start, power] = line.split(",");
      return { start: Temporal.Instant.from(start), power: power === "" ? null : Number(power) };
    });
    // A year whose first days have no values.
    hours = all.filter(({ start }) => format(start, "YYYY") === "2023")
      .map(({ start, power }, i) => ({ start, power: i < 200 ? null : Math.max(0, power ?? 0) }));
    const climate = (await Deno.readTextFile(await exampleFile("climate.csv"))).split("\n");
    const climateLines = climate.filter((line) => !/^\d/.test(line) || /^202[1-4]/.test(line));
    await Deno.writeTextFile(`${folder}/climate.csv`, climateLines.join("\n"));
    options = {
      name: ["Hill"],
      position: ["55.6, 7.92"],
      elevation: ["0"],
      "time-zone": ["Europe/Copenhagen"],
      climate: [`${folder}/climate.csv`],
      "climate-position": ["55.5, 8"],
      "rated-power": ["2300"],
      "rotor-diameter": ["92"],
      "hub-height": ["80"],
      to: [`${folder}/site`],
    };
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  /** Writes the files of an export; returns the path that a person would give. */
  async function write(files: Files, i: number): Promise<string> {
    const path = `${folder}/${i}`;
    await Deno.mkdir(path);
    for (const [name, content] of Object.entries(files)) {
      await Deno.writeFile(
        `${path}/${name}`,
        typeof content === "string" ? new TextEncoder().encode(content) : content,
      );
    }
    const names = Object.keys(files);
    return names.length === 1 ? `${path}/${names[0]}` : path;
  }

  it("are twenty", () => assertEquals(exports.length, 20));

  for (const [i, { name, files, asks, less = 0, turbines = 1 }] of exports.entries()) {
    const wanted = Object.keys(asks);
    it(`U3: ${name}: asks for ${wanted.length === 0 ? "nothing" : wanted.join(", ")}`, async () => {
      const production = await write(await files(hours), i);
      const given = { ...options, production: [production] };
      const data = `${folder}/data${i}`;
      const { dialogue: first } = openDialogue({ options: given, yes: true });
      if (wanted.length > 0) {
        let message = "";
        try {
          await askAll(first, data);
        } catch (error) {
          assert(error instanceof MisuseError, String(error));
          ({ message } = error);
        }
        const missing = message.match(/^ {2}--[\w-]+/gm)?.map((line) => line.trim().slice(2)) ?? [];
        assertEquals(missing.sort(), [...wanted].sort(), message);
      }
      const answers = Object.fromEntries(
        Object.entries(asks).map(([field, one]) => [field, [one]]),
      );
      const { dialogue } = openDialogue({ options: { ...given, ...answers }, yes: true });
      const { site, production: { entry, turbines: [id = "hill"] } } = await askAll(dialogue, data);
      const { file, ...how } = entry;
      const read = await readProduction(file, how);
      const column = read.columns.includes("power") ? "power" : "energy";
      const sum = read.getColumn(column).sum() / (column === "power" ? 1000 : 1);
      const count = file.includes("/18/") ? 24 * 9 : hours.length;
      const truth = hours.slice(0, count).reduce((all, { power }) => all + (power ?? 0), 0) / 1000;
      assertAlmostEquals(sum / turbines, truth - less, less > 0 ? less : 0.001 * truth + 2);
      if (count < hours.length) return; // too short for an index, so it ends with these questions
      await importSite(site, { data });
      await using connection = connect({ data });
      const index = await monthlyIndices(id, { connection });
      assert(index.getColumn("month_index").nullCount() < index.height, name);
    });
  }
});
