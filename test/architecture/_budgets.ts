/**
 * What each room below `src/` may cost in lines of code: those that are neither blank nor comment alone, of TypeScript,
 * JavaScript and CSS. `deno task checks` prints the table.
 *
 * @module
 */

/** Lines of code of a room. */
export interface Budget {
  /** What it has today, which only falls: whoever raises one room lowers another in the same commit. */
  readonly ceiling: number;
  /** What it may have when the diet is done. */
  readonly goal: number;
}

/**
 * Lines of all rooms after the diet, and what the features after it may add: proof of the index, the toolbox, reports, a place to learn,
 * verdicts, input that is judged before it counts, of every kind,
 * outputs of notebooks that every front end shows, the font of PNGs, databases that know which files are
 * theirs, and a service that bounds the work of each licence.
 */
export const MAX_CODE = 69_235 + 900 + 1_600 + 1_400 + 300 + 1_250 + 400 + 4_100 + 1250;

/** The budgets, room by room. */
export const budgets: Readonly<Record<string, Budget>> = {
  analysis: { ceiling: 12203, goal: 5600 },
  api: { ceiling: 2619, goal: 2500 },
  cli: { ceiling: 4899, goal: 2700 },
  client: { ceiling: 5985, goal: 4600 },
  disk: { ceiling: 356, goal: 400 },
  era5: { ceiling: 1858, goal: 1100 },
  frames: { ceiling: 9782, goal: 5700 },
  machines: { ceiling: 2573, goal: 2700 },
  notebook: { ceiling: 3130, goal: 2400 },
  plots: { ceiling: 7103, goal: 5000 },
  report: { ceiling: 4093, goal: 2000 },
  sample: { ceiling: 883, goal: 1000 },
  screening: { ceiling: 1874, goal: 1150 },
  service: { ceiling: 6461, goal: 4300 },
  show: { ceiling: 1483, goal: 1350 },
  sites: { ceiling: 6906, goal: 3100 },
  stats: { ceiling: 553, goal: 540 },
  std: { ceiling: 112, goal: 108 },
  storage: { ceiling: 2199, goal: 2100 },
  testing: { ceiling: 589, goal: 500 },
  time: { ceiling: 883, goal: 710 },
  windindex: { ceiling: 3370, goal: 2850 },
};

/** Most files of all rooms when the diet is done. */
export const GOAL_FILES = 650;

/** Most boxes, files and folders, of a room or folder. */
export const GOAL_BOXES = 15;

/** What a room has. */
export interface RoomSize {
  readonly room: string;
  readonly code: number;
  readonly files: number;
  /** Boxes of the fullest of its folders. */
  readonly boxes: number;
}

/** Counts lines that are neither blank nor comment alone. */
export function countCode(source: string): number {
  return source.split("\n").filter((line) => !/^\s*($|\/\/|\/\*|\*)/.test(line)).length;
}

const src = new URL("../../src/", import.meta.url);

function measureFolder(folder: URL): Omit<RoomSize, "room"> {
  let [code, files, boxes] = [0, 0, 0];
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) {
      const inner = measureFolder(new URL(`${name}/`, folder));
      [code, files] = [code + inner.code, files + inner.files];
      boxes = Math.max(boxes, inner.boxes);
    } else if (/\.(ts|js|css)$/.test(name)) {
      code += countCode(Deno.readTextFileSync(new URL(name, folder)));
      files++;
    }
  }
  return { code, files, boxes: Math.max(boxes, [...Deno.readDirSync(folder)].length) };
}

/** Measures all rooms. */
export function measureRooms(): RoomSize[] {
  return [...Deno.readDirSync(src)].map(({ name }) => name).sort()
    .map((room) => ({ room, ...measureFolder(new URL(`${room}/`, src)) }));
}

/** The rooms as a table: code, ceiling, goal, files and boxes of the fullest folder. */
export function formatRooms(sizes: readonly RoomSize[]): string {
  const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);
  const rows = sizes.map(({ room, code, files, boxes }) => [
    room,
    code,
    budgets[room]?.ceiling ?? "-",
    budgets[room]?.goal ?? "-",
    files,
    boxes > GOAL_BOXES ? `${boxes} (${GOAL_BOXES})` : boxes,
  ]);
  const all = Object.values(budgets);
  rows.push([
    "sum",
    sum(sizes.map(({ code }) => code)),
    sum(all.map(({ ceiling }) => ceiling)),
    sum(all.map(({ goal }) => goal)),
    `${sum(sizes.map(({ files }) => files))} (${GOAL_FILES})`,
    "",
  ]);
  return [["room", "code", "ceiling", "goal", "files", "boxes"], ...rows]
    .map((row) =>
      row.map((cell, i) => i === 0 ? String(cell).padEnd(12) : String(cell).padStart(10)).join("")
    ).join("\n");
}

if (import.meta.main) console.log(formatRooms(measureRooms()));
