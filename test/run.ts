/**
 * Runs tests with the permissions and the environment they need.
 *
 * @module
 */
import { basename, relative, resolve } from "node:path";
import { MisuseError } from "../src/cli/command/command.ts";
import { runTask } from "./_run_task.ts";
import { suiteOfExamples, suitesOf, suitesOfLong } from "./_suites.ts";

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

/** Variables of the user that must not influence the tests. */
const ENVIRONMENT = {
  VINDKIT_HOME: `${ROOT}.vindkit`,
  VINDKIT_URL: "",
  VINDKIT_KEY: "",
  VINDKIT_DATA: "",
  // Number of files in parallel; some only wait for processes or for time to pass.
  DENO_JOBS: String(navigator.hardwareConcurrency + 2),
};

/** Runs Deno in the root, and returns its exit code. */
async function runDeno(args: string[]): Promise<number> {
  const { code } = await new Deno.Command("deno", {
    args,
    cwd: ROOT,
    env: ENVIRONMENT,
    stdin: "null", // a command under test would ask in the terminal
  }).spawn().status;
  return code;
}

/** Files below a folder, as paths from the root. */
function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(ROOT + folder)].flatMap(({ name, isDirectory }) => {
    const path = `${folder}/${name}`;
    return isDirectory ? filesBelow(path) : [path];
  }).sort();
}

const isTest = (path: string) => path.endsWith("_test.ts");

/** The path from the root that a word names, relative to the caller's folder; `undefined` if it does not exist. */
function pathOf(word: string): string | undefined {
  for (const folder of [Deno.env.get("INIT_CWD") ?? ROOT, ROOT]) {
    const path = resolve(folder, word);
    try {
      Deno.statSync(path);
      return relative(ROOT, path);
    } catch {
      // The word may be the name of a test.
    }
  }
}

/** Arguments of `deno test` for the words of the caller. */
function selection(words: readonly string[], long: boolean): string[] {
  const tests = filesBelow("test").filter(isTest);
  const isLong = (path: string) => path.endsWith("_long_test.ts");
  if (long) return ["--parallel", ...suitesOfLong(tests.filter(isLong))];
  const named = (word: string) => {
    const path = pathOf(word);
    if (path) return Deno.statSync(ROOT + path).isDirectory ? filesBelow(path) : [path];
    const called = tests.filter((file) => basename(file).includes(word));
    const files = called.length > 0
      ? called
      : tests.filter((file) => Deno.readTextFileSync(ROOT + file).includes(word));
    if (files.length > 0) return files;
    throw new MisuseError(`Cannot find "${word}": it is no file or folder, and in no test file`);
  };
  const files = words.length > 0 ? words.flatMap(named) : [
    ...tests.filter((path) => !isLong(path)),
    ...["mod.ts", "README.md", ...filesBelow("src"), ...filesBelow("docs")],
  ];
  const examples = files.filter((path) => /\.(ts|md)$/.test(path) && !isTest(path));
  const chosen = [...suiteOfExamples(examples), ...suitesOf(files.filter(isTest))];
  if (chosen.length > 0) return ["--parallel", ...chosen];
  throw new MisuseError(`Cannot find a test or an example in ${words.join(" ")}`);
}

const end = Deno.args.indexOf("--");
const [args, rest] = end < 0 ? [Deno.args, []] : [Deno.args.slice(0, end), Deno.args.slice(end)];
const handedOn = args.filter((arg) => arg.startsWith("-") && !/^(--long|--help|-h)$/.test(arg));

await runTask("test", {
  forms: ["[WORDS] [--long] [OPTIONS]"],
  arguments: {
    WORDS:
      "files, folders, or a part of the name of a test file or of its text, such as the name " +
      "of a test: the whole file is run (default: all tests but the long ones)",
  },
  options: { long: { about: "the long tests alone: browsers, Jupyter, Python, whole notebooks" } },
  example: "test/plots wind_rose",
  notes: ["Other options go to deno test, such as --shuffle. Arguments after -- go to the tests."],
  async run({ flag, rest: words }) {
    const chosen = selection(words, flag("long"));
    if (words.length === 0) {
      const code = await runDeno([
        "run",
        "-q",
        "--no-check",
        ...PERMISSIONS,
        "test/_make_sample.ts",
      ]);
      if (code !== 0) Deno.exit(code);
    }
    Deno.exit(
      await runDeno([
        ...["test", "--no-check", ...PERMISSIONS],
        ...handedOn,
        ...chosen,
        ...rest,
      ]),
    );
  },
}, args.filter((arg) => !handedOn.includes(arg)));
