import { DATABASE, FILES_FOLDER } from "../../src/storage/data_directory.ts";
import type { SeededRandom } from "../../src/stats/seeded_random.ts";

/** Targets of a damage. */
export const TARGETS = [
  "database",
  "log of the database",
  "licence",
  "key",
  "series",
  "model",
  "rendered",
  "order",
] as const;

/** Target of a damage. */
export type Target = typeof TARGETS[number];

/** Kinds of damage. */
export const KINDS = ["flip", "flips", "cut", "deletion", "zeroed page", "empty", "swap"] as const;

/** Kind of a damage. */
export type Kind = typeof KINDS[number];

const PAGE = 4096;

/** Whether a target is a part of the database. */
export function isOfDatabase(target: Target): boolean {
  return ["database", "log of the database", "licence", "key"].includes(target);
}

/** Targets in a data directory: paths, or a text inside a file. */
export interface Places {
  readonly licence: string;
  readonly key: string;
  readonly points: readonly string[];
  readonly models: readonly string[];
}

function pathsOf(target: Target, data: string, places: Places): string[] {
  const names = [...Deno.readDirSync(`${data}/${FILES_FOLDER}`)].map(({ name }) => name).sort();
  const select = (wanted: (name: string) => boolean) =>
    names.filter(wanted).map((name) => `${data}/${FILES_FOLDER}/${name}`);
  switch (target) {
    case "log of the database":
      return [`${data}/${DATABASE}-wal`];
    case "series":
      return select((name) => places.points.includes(name));
    case "model":
      return select((name) => places.models.includes(name));
    case "rendered":
      return select((name) => name.includes(".parquet."));
    case "order":
      return select((name) => !name.includes(".parquet") && !name.endsWith(".lock"));
    default:
      return [`${data}/${DATABASE}`];
  }
}

/** Positions of a text in bytes. */
function positionsOf(bytes: Uint8Array, text: string): number[] {
  const all = new TextDecoder("latin1").decode(bytes);
  const positions = [];
  for (let i = all.indexOf(text); i !== -1; i = all.indexOf(text, i + 1)) positions.push(i);
  return positions;
}

/**
 * Damages a file of a data directory, in place.
 *
 * @param data The data directory
 * @param places Its targets
 * @param target The target
 * @param kind How; for parts of the database only flips
 * @returns The damage in words; `undefined` if there is nothing to damage
 */
export function damage(
  data: string,
  places: Places,
  target: Target,
  kind: Kind,
  random: SeededRandom,
): string | undefined {
  const paths = pathsOf(target, data, places);
  const path = paths[random.below(paths.length)];
  const bytes = readIfThere(path);
  if (!bytes || bytes.length === 0) return undefined;
  const flip = (at: number) => writeAt(path, at, Uint8Array.of(bytes[at] ^ 1 << random.below(8)));
  const name = path.slice(data.length + 1);
  if (target === "licence" || target === "key") {
    const at = positionsOf(bytes, places[target]);
    if (at.length === 0) return undefined;
    const place = at[random.below(at.length)] + random.below(places[target].length);
    flip(place);
    return `a flip of the ${target} at ${place}`;
  }
  switch (kind) {
    case "flip": {
      const at = random.below(bytes.length);
      flip(at);
      return `a flip of ${name} at ${at}`;
    }
    case "flips":
      for (let i = 0; i < 20; i++) flip(random.below(bytes.length));
      return `20 flips of ${name}`;
    case "cut": {
      const size = random.below(bytes.length);
      Deno.truncateSync(path, size);
      return `${name} cut to ${size} of ${bytes.length}`;
    }
    case "deletion":
      Deno.removeSync(path);
      return `${name} deleted`;
    case "zeroed page": {
      const page = random.below(Math.ceil(bytes.length / PAGE));
      writeAt(path, page * PAGE, new Uint8Array(Math.min(PAGE, bytes.length - page * PAGE)));
      return `page ${page} of ${name} zeroed`;
    }
    case "empty":
      Deno.truncateSync(path, 0);
      return `${name} emptied`;
    case "swap": {
      const others = pathsOf(isOfDatabase(target) ? "series" : target, data, places)
        .filter((one) => one !== path);
      const other = others[random.below(others.length)];
      if (other === undefined) return undefined;
      const content = Deno.readFileSync(other);
      if (!isOfDatabase(target)) Deno.writeFileSync(other, bytes);
      Deno.writeFileSync(path, content);
      return `${name} swapped with ${other.slice(data.length + 1)}`;
    }
  }
}

function readIfThere(path: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  try {
    return path === undefined ? undefined : Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Overwrites bytes of a file in place. */
function writeAt(path: string, at: number, bytes: Uint8Array): void {
  using file = Deno.openSync(path, { write: true });
  file.seekSync(at, Deno.SeekMode.Start);
  file.writeSync(bytes);
}
