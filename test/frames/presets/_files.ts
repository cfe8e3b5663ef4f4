/**
 * SYNTHETIC files in the layouts of the presets, with the traps of the real ones. The figures are invented.
 *
 * @module
 */
import type { CellValue } from "hucre/xlsx";
import { utf8 } from "../_text.ts";

/** Options of a file of Greenbyte. */
interface GreenbyteFile {
  /** Turbine of the preamble; `null` leaves the line out. @default Kelmarsh 1 */
  readonly turbine?: string | null;
  /** Zone of the preamble; `null` leaves the line out. @default UTC */
  readonly zone?: string | null;
  /** Columns between the time and the power, which differ by year. @default a quoted one with a comma */
  readonly before?: readonly string[];
  /** Line end. @default LF */
  readonly lineEnd?: "\n" | "\r\n";
  /** First stamp and power of each row, ten minutes apart, or pairs of stamp and power. */
  readonly rows: readonly (readonly [stamp: string, power: string])[];
}

/** Ten minutes from a stamp, with their power. */
export function tenMinutes(from: string, powers: readonly string[]): [string, string][] {
  const start = Date.parse(`${from.replace(" ", "T")}Z`);
  return powers.map((power, i) => [
    new Date(start + i * 600_000).toISOString().slice(0, 19).replace("T", " "),
    power,
  ]);
}

/** Data of a turbine as Greenbyte exports them: nine lines of comments, the header in the tenth. */
export function greenbyteFile({
  turbine = "Kelmarsh 1",
  zone = "UTC",
  before = ['"Wind speed, Standard deviation (m/s)"'],
  lineEnd = "\n",
  rows,
}: GreenbyteFile): Uint8Array {
  const preamble = [
    "# SYNTHETIC figures in the layout of an export of Greenbyte",
    "#",
    turbine === null ? "#" : `# Turbine: ${turbine}`,
    "# Turbine type: Senvion MM92",
    zone === null ? "#" : `# Time zone: ${zone}`,
    "# Time interval: 10 minutes",
    "# Calculation: mean",
    "# Exported: 2022-01-31",
    "#",
  ];
  const header = ["# Date and time", ...before, "Power (kW)", "Energy Export (kWh)"].join(",");
  const lines = rows.map(([stamp, power]) =>
    [stamp, ...before.map(() => power === "NaN" ? "NaN" : "0.25"), power, "NaN"].join(",")
  );
  return utf8([...preamble, header, ...lines, ""].join(lineEnd));
}

/** A status log of a turbine as Greenbyte exports it, columns of 2021 and later if `late`. */
export function greenbyteEvents(rows: readonly string[], late = false): Uint8Array {
  const more = late ? ",Global contract category,Custom contract category" : "";
  return utf8([
    "# SYNTHETIC figures in the layout of an export of Greenbyte",
    "#",
    "# Turbine: Kelmarsh 1",
    "# Time zone: UTC",
    ...Array<string>(5).fill("#"),
    "Timestamp start,Timestamp end,Duration,Status,Code,Message,Comment,Service contract category," +
    `IEC category${more}`,
    ...rows.map((row) => row + (late ? ",," : "")),
    "",
  ].join("\n"));
}

/** A month of turbines below each other as at Hill of Towie: stamps at the end of ten minutes. */
export function hillOfTowieFile(
  stations: readonly string[],
  stamps: readonly string[],
  power = (station: number, row: number) => String(100 * station + row),
): Uint8Array {
  const rows = stamps.flatMap((stamp, i) =>
    stations.map((station, s) => `${stamp},${station},${power(s, i)},0.5,50`)
  );
  const header = "TimeStamp,StationId,wtc_ActPower_mean,wtc_ActPower_stddev,wtc_GridFreq_mean";
  return utf8([header, ...rows, ""].join("\r\n"));
}

/** A table of EDP. */
export function edpFile(rows: readonly string[]): Uint8Array {
  const header = "Turbine_ID,Timestamp,Amb_WindSpeed_Avg,Grd_Prod_Pwr_Avg";
  return utf8([header, ...rows, ""].join("\n"));
}

/** A turbine of the register. */
interface RegisterTurbine {
  readonly id: CellValue;
  readonly connected: CellValue;
  readonly decommissioned?: CellValue;
  readonly east: CellValue;
  readonly north: CellValue;
  readonly months: readonly CellValue[];
}

const excelDay = (year: number, month: number) => new Date(Date.UTC(year, month - 1, 1));

/** The old register: names in English in row 10, in Danish in row 18, years before months, two sheets. */
export async function oldRegister(
  existing: readonly RegisterTurbine[],
  gone: readonly RegisterTurbine[],
  months: number,
): Promise<Uint8Array> {
  const { writeXlsx } = await import("hucre/xlsx");
  const english: CellValue[] = [
    "Turbine identifier (GSRN)",
    "Date of original connection to grid",
    "Date of decommissioning",
    "Capacity (kW)",
    "Rotor diameter (m)",
    "Hub height (m)",
    "Manufacture",
    "Model",
    "Type of location",
    "X (east) coordinate\nUTM 32 Euref89",
    "Y (north) coordinate\nUTM 32 Euref89",
  ];
  const danish: CellValue[] = [
    "Møllenummer (GSRN)",
    "Dato for oprindelig nettilslutning",
    "Dato for afmeldning",
    "Kapacitet (kW)",
    "Rotor-diameter (m)",
    "Navhøjde (m)",
    "Fabrikat",
    "Typebetegnelse",
    "Placering",
    "X (øst) koordinat\nUTM 32 Euref89",
    "Y (nord) koordinat\nUTM 32 Euref89",
    2019,
    2020,
    ...Array.from({ length: months }, (_, i) => excelDay(2021, i + 1)),
  ];
  const sheet = (name: string, turbines: readonly RegisterTurbine[]) => ({
    name,
    rows: [
      ["SYNTHETIC figures in the layout of the register"],
      ...Array.from({ length: 8 }, (): CellValue[] => []),
      english,
      ...Array.from({ length: 7 }, (): CellValue[] => []),
      danish,
      ...turbines.map((one): CellValue[] => [
        one.id,
        one.connected,
        one.decommissioned ?? null,
        2000,
        80,
        70,
        "Vestas",
        "V80-2.0",
        "HAV",
        one.east,
        one.north,
        7_000_000,
        6_900_000,
        ...one.months,
      ]),
    ],
  });
  return await writeXlsx({
    sheets: [
      sheet("IkkeAfmeldte-Existing turbines", existing),
      sheet("Afmeldte-Decommissioned", gone),
    ],
  });
}

/** The months of a register before 2022: a sheet for each year, names in row 8, dates in the header. */
export async function monthlyRegister(
  years: Readonly<Record<number, Readonly<Record<string, readonly CellValue[]>>>>,
): Promise<Uint8Array> {
  const { writeXlsx } = await import("hucre/xlsx");
  return await writeXlsx({
    sheets: Object.entries(years).map(([year, turbines]) => ({
      name: `Månedsprod_${year}`,
      rows: [
        ["SYNTHETIC figures in the layout of the register"],
        ...Array.from({ length: 6 }, (): CellValue[] => []),
        ["Møllenummer (GSRN)", ...[1, 2].map((month) => excelDay(Number(year), month))],
        ...Object.entries(turbines).map(([id, months]): CellValue[] => [id, ...months]),
        [null, 99, 99],
      ],
    })),
  });
}

/** The new register: one header in row 11, months as texts. */
export async function newRegister(turbines: readonly RegisterTurbine[]): Promise<Uint8Array> {
  const { writeXlsx } = await import("hucre/xlsx");
  const header: CellValue[] = [
    "Møllenummer (GSRN)",
    "Parknummer",
    "Kapacitet (kW)",
    "Navhøjde (m)",
    "2024-01",
    "2024-02",
  ];
  return await writeXlsx({
    sheets: [{
      name: "Vindmølledata",
      rows: [
        ["SYNTHETIC figures in the layout of the register"],
        ...Array.from({ length: 9 }, (): CellValue[] => []),
        header,
        ...turbines.map((one): CellValue[] => [one.id, 12, 2000, 70, ...one.months]),
      ],
    }],
  });
}

/** A sheet of the new register with the given rows: identifier, a text, months of 2024. */
export async function registerRows(rows: readonly CellValue[][]): Promise<Uint8Array> {
  const { writeXlsx } = await import("hucre/xlsx");
  const header = ["GSRN", "Typebetegnelse", "2024-01", "2024-02"];
  return await writeXlsx({ sheets: [{ name: "Vindmølledata", rows: [header, ...rows] }] });
}
