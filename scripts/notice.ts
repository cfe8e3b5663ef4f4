/**
 * The generated parts of NOTICE: all packages of deno.lock with version and licence (from their package.json), and
 * the licence of the font.
 *
 * @module
 */

/** The npm packages of deno.lock, by name and version. */
export type LockedPackages = Readonly<
  Record<string, { readonly optionalDependencies?: readonly string[]; readonly os?: unknown }>
>;

/** Finds the licence that a package.json names; `undefined` if it is not there. */
export type FindLicence = (name: string, version: string) => string | undefined;

/** Line before the list. */
const BEGIN = "All packages of deno.lock, with version and licence (written by: deno task docs)";

/** Line before the licence of the font, which is the last part. */
const FONT = "Licence of the font (written by: deno task docs)";

/** Licences of packages whose package.json only refers to a file. */
const NAMED_IN_FILES: Readonly<Record<string, string>> = { h5wasm: "NIST, HDF5" };

interface Package {
  readonly name: string;
  readonly version: string;
  /** Systems of its native builds, which have its licence. */
  readonly builds: readonly string[];
}

/** Reads names and versions, and adds native builds to their package. */
function listPackages(locked: LockedPackages): Package[] {
  const packages = Object.entries(locked).map(([key, { optionalDependencies = [], os }]) => {
    const [, name, version] = /^(@?[^@]+)@([^_]+)/.exec(key)!;
    const builds = optionalDependencies
      .filter((one) => one.startsWith(`${name}-`) && locked[`${one}@${version}`]?.os !== undefined)
      .map((one) => one.slice(name.length + 1));
    return { name, version, builds, system: os !== undefined };
  });
  const parts = new Set(
    packages.flatMap(({ name, version, builds }) =>
      builds.map((build) => `${name}-${build}@${version}`)
    ),
  );
  return packages.filter(({ name, version, system }) => {
    return !system || !parts.has(`${name}@${version}`);
  }).sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Breaks a list of words into lines of a width that a terminal shows. */
function wrapWords(words: readonly string[], indent: string): string {
  const lines = [indent];
  for (const word of words) {
    const line = `${lines.at(-1)!.trimEnd()}${lines.at(-1)!.trim() === "" ? indent : " "}${word}`;
    if (line.length <= 79) lines[lines.length - 1] = line;
    else lines.push(indent + word);
  }
  return lines.join("\n");
}

/**
 * Writes the list of packages and the licence of the font into NOTICE.
 *
 * @param notice The present NOTICE: its other parts stay, and it has the licences of packages missing on this machine
 * @param locked Packages of deno.lock
 * @param findLicence Finds the licence of a package on this machine
 * @param fontLicence Text of the font's licence
 * @returns The new NOTICE
 * @throws {Error} If the licence of a package is not known
 */
export function writeNotice(
  notice: string,
  locked: LockedPackages,
  findLicence: FindLicence,
  fontLicence: string,
): string {
  for (const line of [BEGIN, FONT]) {
    if (!notice.includes(`${line}\n\n`)) {
      throw new Error(`Cannot write NOTICE: the line "${line}" is missing`);
    }
  }
  const [above] = notice.split(`${FONT}\n\n`);
  const [head, rest] = above.split(`${BEGIN}\n\n`);
  const end = rest.indexOf("\n\n");
  const before = new Map(
    rest.slice(0, end).split("\n").map((line) => {
      const [name, version, ...licence] = line.trim().split(/\s+/);
      return [`${name}@${version}`, licence.join(" ")];
    }),
  );
  const lines = listPackages(locked).map(({ name, version, builds }) => {
    const licence = NAMED_IN_FILES[name] ?? findLicence(name, version) ??
      before.get(`${name}@${version}`);
    if (!licence || /^see /i.test(licence)) {
      throw new Error(
        `Cannot list ${name} ${version}: its licence is not known here. Run: deno install --frozen`,
      );
    }
    const line = `${`${name} ${version}`.padEnd(35)} ${licence}`;
    const systems = builds.map((build, i) => i < builds.length - 1 ? `${build},` : build);
    return builds.length === 0 ? line : `${line}\n${wrapWords(["with", ...systems], "    ")}`;
  });
  return `${head}${BEGIN}\n\n${lines.join("\n")}${rest.slice(end)}${FONT}\n\n${fontLicence}`;
}

/**
 * Makes a function that reads licences from Deno's package cache.
 *
 * @param cache The folder, with one folder for each registry
 */
export function readLicencesOf(cache: string): FindLicence {
  let registries: string[];
  try {
    registries = [...Deno.readDirSync(cache)].map(({ name }) => `${cache}/${name}`);
  } catch {
    registries = []; // the cache does not exist yet
  }
  return (name, version) => {
    for (const registry of registries) {
      try {
        const text = Deno.readTextFileSync(`${registry}/${name}/${version}/package.json`);
        return (JSON.parse(text) as { license?: string }).license;
      } catch {
        // The package is from another registry, or for another system.
      }
    }
  };
}
