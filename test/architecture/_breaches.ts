/**
 * Checks the imports of source files against the plan of the house. Type-only imports count too.
 *
 * @module
 */
import { MAX_LINES } from "./_house.ts";
import { blanked, type Import, importsOf, lineAt } from "./_imports.ts";

const schemeAllowed = [
  "node:sqlite",
  "node:buffer",
  "node:crypto",
  "node:module", // source maps
  "node:fs", // times of files in nanoseconds
  "node:os",
  "node:path", // a path from one folder to another
  "node:timers/promises", // yields without the 2 ms of a timer
  "node:util",
  "node:v8", // serializes values, with exact bits of numbers
  "node:worker_threads",
  "node:zlib",
];

/** The plan. */
export interface House {
  /** Rooms by name, with the rooms each may import. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  /** Folders of rooms, from the ground up. */
  readonly shelves: Readonly<Record<string, readonly string[]>>;
}

/** Texts of files by path from the root, including `deno.json`. */
export type Sources = Readonly<Record<string, string>>;

interface Config {
  name: string;
  exports: Record<string, string>;
  imports: Record<string, string>;
}

type Target = { file: string } | { foreign: string } | { undeclared: string };

function resolve(specifier: string, from: string, config: Config): Target {
  if (/^\.{0,2}\//.test(specifier)) {
    const { pathname } = new URL(specifier, new URL(from, "file:///"));
    return { file: decodeURIComponent(pathname.slice(1)) };
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) return { foreign: specifier };
  if (specifier === config.name || specifier.startsWith(`${config.name}/`)) {
    const file = config.exports[`.${specifier.slice(config.name.length)}`];
    return file ? { file: file.replace(/^\.\//, "") } : { undeclared: specifier };
  }
  const key = Object.keys(config.imports).find((key) =>
    key === specifier || key.endsWith("/") && specifier.startsWith(key)
  );
  if (!key) return { undeclared: specifier };
  const address = config.imports[key];
  return address.startsWith("./")
    ? { file: address.slice(2) + specifier.slice(key.length) }
    : { foreign: `${key} (declared)` };
}

const roomOf = (path: string) => /^src\/([^/]+)\//.exec(path)?.[1];
/** Rooms that pages of the site run in a browser, and the room that makes HTML. */
const RUN_BY_SITE = ["sample", "show", "stats", "windindex"];

/** Rooms with a door but without an entry. */
const DOORS = ["storage", "machines"];

const isDoor = (path: string) => /^src\/.+\/mod\.ts$/.test(path);

/** Cycles of the file graph, one for each import that closes a cycle. */
export function cyclesOf(graph: ReadonlyMap<string, { to: string; line: number }[]>): string[] {
  const cycles: string[] = [];
  const done = new Set<string>();
  const trail: string[] = [];
  function visit(file: string): void {
    trail.push(file);
    for (const { to, line } of graph.get(file) ?? []) {
      const i = trail.indexOf(to);
      if (i >= 0) {
        cycles.push(`${file}:${line} closes a cycle: ${[...trail.slice(i), to].join(" > ")}`);
      } else if (!done.has(to)) visit(to);
    }
    trail.pop();
    done.add(file);
  }
  for (const file of graph.keys()) if (!done.has(file)) visit(file);
  return cycles;
}

/** Why a file must not import another; `null` if it may. The one exception is handled elsewhere. */
function problemWithArrow(
  from: string,
  to: string,
  config: Config,
  { rooms, shelves }: House,
): string | null {
  const subpaths = Object.entries(config.exports).map(([key, file]) => ({
    key,
    file: file.slice(2),
  }));
  const entryOf = (room?: string) => subpaths.find(({ file }) => roomOf(file) === room);
  if (from === "types.ts") return roomOf(to) ? null : "types.ts re-exports rooms of src/ only";
  if (from === "mod.ts") {
    if (!roomOf(to)) return "mod.ts re-exports rooms of src/ only";
    const entry = entryOf(roomOf(to));
    return entry ? `that room has a subpath export of its own, ${entry.key}` : null;
  }
  if (from.startsWith("scripts/")) {
    if (to === "mod.ts" || to.startsWith("scripts/")) return null;
    if (isDoor(to) || subpaths.some(({ file }) => file === to)) return null;
    if (from.startsWith("site/") && RUN_BY_SITE.includes(roomOf(to)!)) return null;
    return "scripts import ../mod.ts, entries of deno.json, doors of rooms and each other only";
  }
  if (from.startsWith("site/")) {
    if (to === "deno.json" || to.startsWith("site/") || RUN_BY_SITE.includes(roomOf(to)!)) {
      return null;
    }
    if (isDoor(to) || subpaths.some(({ file }) => file === to)) return null;
    return `site imports deno.json, entries of it, doors of rooms, and ${
      RUN_BY_SITE.join(", ")
    } only`;
  }
  const [room, other] = [roomOf(from), roomOf(to)];
  if (!room || !(room in rooms)) return null;
  if (!other && rooms[room].includes(to)) return null;
  if (!other) return "files of src/ import files of rooms only";
  if (room === other) return problemWithShelf(from, to, shelves[room] ?? []);
  if (room === "cli" && (entryOf(other) || DOORS.includes(other!)) && !isDoor(to)) {
    return `cli reaches ${other} by its door, mod.ts`;
  }
  if (rooms[room].includes(other) || other === "std") return null;
  return `${room} may import ${
    [...rooms[room], room === "std" ? [] : "std"].flat().join(", ") || "no room"
  }`;
}

/** The folder of a file inside its room, or the file itself if it is in no folder. */
const boxOf = (path: string) => /^src\/[^/]+\/[^/]+/.exec(path)![0];

/** Why a file must not import another file of its room. */
function problemWithShelf(from: string, to: string, shelf: readonly string[]): string | null {
  const [rank, other] = [from, to].map((path) => shelf.indexOf(path.split("/")[2]));
  if (rank < 0 || other <= rank) return null;
  return `${shelf[rank]} is below ${shelf[other]}`;
}

/** Folders missing in the plan, and cycles of folders and files directly in the room. */
function problemsWithBoxes(
  graph: ReadonlyMap<string, readonly { to: string; line: number }[]>,
  shelves: House["shelves"],
): string[] {
  const unknown = new Set<string>();
  const boxes = new Map<string, { to: string; line: number }[]>();
  for (const [path, arrows] of graph) {
    const room = roomOf(path);
    if (!room) continue;
    const box = boxOf(path);
    const folder = box.split("/")[2];
    if (box !== path && !shelves[room]?.includes(folder)) {
      unknown.add(`${box}:1 is no folder of the plan of ${room}`);
    }
    const imports = boxes.get(box) ?? boxes.set(box, []).get(box)!;
    for (const { to, line } of arrows) {
      if (roomOf(to) === room && boxOf(to) !== box) imports.push({ to: boxOf(to), line });
    }
  }
  // Cycles of files are reported elsewhere, with their files.
  const circles = cyclesOf(boxes).filter((text) =>
    !text.split(" > ").every((at) => at.endsWith(".ts"))
  );
  return [...unknown, ...circles];
}

/** Every breach of the house's rules, each with file and line. */
export function breachesOf(sources: Sources, house: House): string[] {
  const breaches: string[] = [];
  const config: Config = { exports: {}, imports: {}, ...JSON.parse(sources["deno.json"]) };
  const graph = new Map<string, { to: string; line: number }[]>();
  const exceptions: string[] = [];

  for (const [path, source] of Object.entries(sources)) {
    if (!path.endsWith(".ts")) continue;
    const inSource = path.startsWith("src/");
    const room = roomOf(path);
    if (inSource && !room) breaches.push(`${path}:1 stands in no room`);
    if (room && !(room in house.rooms)) {
      breaches.push(`${path}:1 stands in an unknown room, ${room}`);
    }
    const lines = source.replace(/\n$/, "").split("\n").length;
    if (inSource && lines > MAX_LINES) {
      breaches.push(
        `${path}:${MAX_LINES + 1} is one of ${lines} lines, at most ${MAX_LINES} are allowed`,
      );
    }
    let imports: Import[];
    try {
      imports = importsOf(source);
    } catch (error) {
      breaches.push(`${path}:1 cannot be checked: ${(error as Error).message}`);
      continue;
    }
    graph.set(path, []);
    for (const { specifier, line, dynamic } of imports) {
      const at = `${path}:${line}`;
      if (specifier === null) {
        if (inSource) breaches.push(`${at} computes what it imports, which cannot be checked`);
        continue;
      }
      const target = resolve(specifier, path, config);
      if ("undeclared" in target) {
        breaches.push(`${at} imports ${specifier}, which deno.json does not declare`);
      } else if ("foreign" in target) {
        if (inSource && target.foreign === specifier && !schemeAllowed.includes(specifier)) {
          breaches.push(`${at} imports ${specifier}: src/ imports by the names of deno.json`);
        }
        const reExported = path === "mod.ts" && specifier === "nodejs-polars";
        if (path === "mod.ts" && !reExported || path.startsWith("scripts/")) {
          breaches.push(`${at} imports ${specifier}, a package`);
        }
      } else {
        graph.get(path)!.push({ to: target.file, line });
        const problem = problemWithArrow(path, target.file, config, house);
        if (problem && dynamic && room === "client" && roomOf(target.file) === "service") {
          exceptions.push(at);
        } else if (problem) breaches.push(`${at} imports ${target.file}: ${problem}`);
      }
    }
  }

  if (exceptions.length > 1) {
    breaches.push(...exceptions.map((at) => `${at} is one of several dynamic imports of service`));
  }
  if (exceptions.length === 0 && sources["src/client/mod.ts"] && sources["src/service/mod.ts"]) {
    breaches.push("src/client/mod.ts:1 and its room never import service dynamically");
  }
  breaches.push(...cyclesOf(graph), ...problemsWithBoxes(graph, house.shelves));
  breaches.push(...problemsWithPins(sources["deno.json"], config));
  if (sources["mod.ts"]) breaches.push(...logicIn("mod.ts", sources["mod.ts"]));
  return breaches;
}

function problemsWithPins(text: string, { imports }: Config): string[] {
  return Object.entries(imports).flatMap(([key, address]) => {
    const exact = /^npm:\/?(?:@[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+(?:-[\w.]+)?(?:\/.*)?$/.test(
      address,
    );
    if (exact || !address.startsWith("npm:")) return [];
    return [`deno.json:${lineAt(text, text.indexOf(`"${key}":`))} pins ${address} not exactly`];
  });
}

function logicIn(path: string, source: string): string[] {
  const rest = blanked(source).replace(
    /\b(?:export\s+(?:type\s+)?(?:\{[^{}]*\}|\*(?:\s+as\s+[\w$]+)?)\s*from|import)\s*(["']) *\1\s*;?/g,
    (statement) => statement.replace(/\S/g, " "),
  );
  const at = rest.search(/\S/);
  return at < 0 ? [] : [`${path}:${lineAt(rest, at)} is no re-export`];
}
