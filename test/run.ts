/**
 * Runs tests with the permissions and the environment that they need.
 *
 * @module
 */
import { MisuseError } from "../src/cli/command.ts";
import { runTask } from "./_run_task.ts";

const ROOT = new URL("../", import.meta.url).pathname;

const PERMISSIONS = [
  "--allow-ffi",
  "--allow-sys=cpus,hostname,networkInterfaces,uid",
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
function selection(words: readonly string[], long: boolean): string[] {
  const all = testFiles("test");
  const longOnes = all.filter((path) => path.endsWith("_long_test.ts"));
  // One after the other: a browser or a kernel beside its test keeps two cores busy.
  if (long) return longOnes;
  const named = (name: string) => {
    const path = pathOf(name);
    if (path) return [path];
    const called = all.filter((file) => file.slice(file.lastIndexOf("/") + 1).includes(name));
    const files = called.length > 0
      ? called
      : all.filter((file) => Deno.readTextFileSync(ROOT + file).includes(name));
    if (files.length > 0) return files;
    throw new MisuseError(`Cannot find "${name}": it is no file or folder, and in no test file`);
  };
  const chosen = words.length > 0 ? words.flatMap(named) : [`--ignore=${longOnes.join()}`];
  return ["--parallel", "--doc", ...chosen];
}

const end = Deno.args.indexOf("--");
const [own, rest] = end < 0 ? [Deno.args, []] : [Deno.args.slice(0, end), Deno.args.slice(end)];
const handedOn = own.filter((arg) => arg.startsWith("-") && !/^(--long|--help|-h)$/.test(arg));

await runTask("test", {
  forms: ["[WORDS] [--long] [OPTIONS]"],
  arguments: {
    WORDS:
      "files, folders, or a part of the name of a test file or of its text, such as the name " +
      "of a test: the whole file is run (default: all tests but the long ones)",
  },
  options: { long: { about: "the long tests alone: browsers, Jupyter, Python, whole notebooks" } },
  example: "test/plots wind_rose",
  notes: ["Other options go to deno test, such as --shuffle; what follows -- goes to the tests."],
  rest: "any",
  async run({ flag, rest: words }) {
    const { code } = await new Deno.Command("deno", {
      args: ["test", ...PERMISSIONS, ...handedOn, ...selection(words, flag("long")), ...rest],
      cwd: ROOT,
      env: ENVIRONMENT,
    }).spawn().status;
    Deno.exit(code);
  },
}, own.filter((arg) => !handedOn.includes(arg)));
