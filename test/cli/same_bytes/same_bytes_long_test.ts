/**
 * Effects of a data lock, checked by hash: the files of a first run and of later ones in other folders, on other days, on
 * another machine, and without the service.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { exampleFile } from "../../../mod.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { notebookText } from "../../notebook/_folder.ts";
import { withService } from "../../../src/testing/mod.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const CLOCK = new URL("_other_day.ts", import.meta.url).pathname;

/** Place and time of a process. */
interface Run {
  /** Its folder, new for each run. */
  readonly folder: string;
  /** Days by which its clock is ahead. */
  readonly daysLater: number;
  readonly env: Readonly<Record<string, string>>;
}

/** Runs a script of the checkout, which must succeed. */
async function runScript(run: Run, script: string, ...args: string[]): Promise<void> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--config", `${ROOT}deno.json`, "--preload", CLOCK, script, ...args],
    cwd: run.folder,
    env: {
      VINDKIT_DATA: "",
      NO_COLOR: "1",
      INIT_CWD: run.folder,
      DAYS_LATER: String(run.daysLater),
      ...run.env,
    },
  }).output();
  assertEquals(code, 0, `${script} ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
}

/** Hashes of all files below a folder, by path. */
async function hashFiles(folder: string): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {};
  const walk = async (below: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
      if (isDirectory) await walk(`${below}${name}/`);
      else hashes[below + name] = sha256(await Deno.readFile(`${folder}/${below}${name}`));
    }
  };
  await walk("");
  return hashes;
}

/** Makes the same files in several runs under one lock, and compares them by hash. */
async function compareRuns(
  lock: string,
  minFiles: number,
  make: (run: Run) => Promise<void>,
): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    const [home, other] = [`${root}/home`, `${root}/other_home`];
    const begin = async (name: string, from?: string) => {
      const folder = `${root}/${name}`;
      await Deno.mkdir(folder);
      if (from) await Deno.copyFile(`${root}/${from}/${lock}`, `${folder}/${lock}`);
      return folder;
    };
    const service = await withService(async ({ url, key }) => {
      const env = { VINDKIT_URL: url, VINDKIT_KEY: key.reveal(), VINDKIT_HOME: home };
      await make({ folder: await begin("first"), daysLater: 0, env });
      const elsewhere = { ...env, VINDKIT_HOME: other };
      await make({ folder: await begin("elsewhere", "first"), daysLater: 40, env: elsewhere });
      return env;
    });
    await make({ folder: await begin("offline", "first"), daysLater: 800, env: service });
    const first = await hashFiles(`${root}/first`);
    assert(Object.keys(first).length >= minFiles, Object.keys(first).join(", "));
    for (const name of ["elsewhere", "offline"]) {
      assertEquals(await hashFiles(`${root}/${name}`), first, name);
    }
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Writes the sample's example site, with the id of the turbine that its production belongs to. */
async function writeSite(folder: string): Promise<string> {
  for (const name of ["site.json", "production.csv", "production_monthly.csv"]) {
    const text = await Deno.readTextFile(await exampleFile(name));
    await Deno.writeTextFile(`${folder}/${name}`, text.replace('"id": "E1"', '"id": "T1"'));
  }
  return `${folder}/site.json`;
}

describe("a data lock", () => {
  it("M3: gives a script the same files from the first run on", async () => {
    const script = new URL("_locked_analysis.ts", import.meta.url).pathname;
    await compareRuns("analysis.lock.json", 37, (run) => runScript(run, script));
  });

  it("M3: gives a notebook the same page from the first run on", async () => {
    await compareRuns("analysis.lock.json", 3, async (run) => {
      const path = `${run.folder}/analysis.ipynb`;
      const notebook = notebookText([
        'await import(Deno.env.get("CLOCK")!);',
        'import { lockData, modelData, monthlyIndices, plotMonthlyIndices } from "@vindkit/vindkit";\n' +
        'const connection = await lockData("analysis.lock.json");\nconnection',
        'const indices = await monthlyIndices("T1", { from: "2024-01", to: "2024-12", connection });\nindices',
        "plotMonthlyIndices(indices)",
        'await modelData("T1", { from: "2024-01-01", to: "2024-01-02", connection })',
      ]);
      await Deno.writeTextFile(path, notebook);
      const env = { ...run.env, CLOCK };
      await runScript(
        { ...run, env },
        `${ROOT}src/cli/mod.ts`,
        "notebooks",
        path,
        "--html",
        "pages",
      );
      const page = await Deno.readTextFile(`${run.folder}/pages/analysis.html`);
      for (const text of ["fixed by a data lock", "data:image/svg", "Data lock"]) {
        assertStringIncludes(page, text);
      }
    });
  });

  it("M4: gives report and check the same files from the first run on", async () => {
    const cli = `${ROOT}src/cli/mod.ts`;
    await compareRuns("fleet.lock.json", 29, async (run) => {
      const site = await writeSite(run.folder);
      const production = ["--production", site];
      const lock = ["--lock", "fleet.lock.json"];
      await runScript(run, cli, "report", ...lock, ...production, "--to", "report");
      await runScript(run, cli, "check", ...lock, ...production, "--json", "check.json");
    });
  });
});
