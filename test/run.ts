/**
 * Runs tests with the permissions and the environment that they need: `deno task test [PATH | NAME]… [--long]`.
 *
 * Without a word all but the long ones and the examples of the docs, with `--long` the long ones. A word is a file, a
 * folder, or a part of a test file's name; what is no such part filters the tests by their names. Options with a hyphen
 * go to `deno test` as they are: `--filter=…`, `--shuffle`; what follows `--` goes to the tests.
 *
 * @module
 */

const ROOT = new URL("../", import.meta.url).pathname;

const PERMISSIONS = [
  "--allow-ffi",
  "--allow-sys=cpus,hostname,networkInterfaces",
  "--allow-read",
  "--allow-write",
  "--allow-env",
  "--allow-net=127.0.0.1,localhost",
  "--allow-run",
];

/** What a person may have set must not decide what the tests find. */
const ENVIRONMENT = {
  VINDKIT_HOME: `${ROOT}.vindkit`,
  VINDKIT_URL: "",
  VINDKIT_KEY: "",
  VINDKIT_DATA: "",
};

/** Files below a folder that hold tests, as paths from the root. */
function testFiles(folder: string): string[] {
  return [...Deno.readDirSync(ROOT + folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? testFiles(path) : name.endsWith("_test.ts") ? [path] : [];
  }).sort();
}

/** The path that a word names, seen from where the task was called; `undefined` where nothing is. */
function pathOf(word: string): string | undefined {
  for (const folder of [Deno.env.get("INIT_CWD") ?? ROOT, ROOT]) {
    const path = word.startsWith("/") ? word : `${folder}/${word}`;
    try {
      Deno.statSync(path);
      return path;
    } catch {
      // It may be the name of a test.
    }
  }
}

/** What `deno test` is told of the words of the caller. */
function selection(words: readonly string[], all: readonly string[]): string[] {
  const isLong = (path: string) => path.endsWith("_long_test.ts");
  const [names, long] = [words.filter((word) => word !== "--long"), words.includes("--long")];
  if (names.length === 0) {
    return long ? all.filter(isLong) : ["--doc", `--ignore=${all.filter(isLong).join()}`];
  }
  return [
    "--doc",
    ...names.flatMap((name) => {
      const path = pathOf(name);
      if (path) return [path];
      const named = all.filter((file) => file.slice(file.lastIndexOf("/") + 1).includes(name));
      return named.length > 0 ? named : [`--filter=${name}`];
    }),
  ];
}

const end = Deno.args.indexOf("--");
const [own, rest] = end < 0 ? [Deno.args, []] : [Deno.args.slice(0, end), Deno.args.slice(end)];
const options = own.filter((arg) => arg.startsWith("-") && arg !== "--long");
const words = own.filter((arg) => !options.includes(arg));
const { code } = await new Deno.Command("deno", {
  args: [
    "test",
    "--parallel",
    ...PERMISSIONS,
    ...options,
    ...selection(words, testFiles("test")),
    ...rest,
  ],
  cwd: ROOT,
  env: ENVIRONMENT,
}).spawn().status;
Deno.exit(code);
