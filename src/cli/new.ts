import { relative } from "node:path";
import project from "../../deno.json" with { type: "json" };
import { exists } from "../disk/files.ts";
import { homeFolder } from "../disk/home.ts";
import { buildLinkedLock } from "../disk/linked_lock.ts";
import { callerPath } from "./arguments.ts";
import type { Command } from "./command.ts";
import { shellWord } from "../storage/mod.ts";

/** What a first script does: figures, a chart, and a question with its page. */
const SCRIPT = `// All figures are SYNTHETIC until connect() names a service or data of your own:
// connect({ url, key }), connect({ data: "DIR" }), or VINDKIT_URL and VINDKIT_KEY.
import { connect, monthlyIndices, planBudget, plotBudget, plotMonthlyIndices } from "${project.name}";
import { answerReport, saveReport } from "${project.name}/report";

await using connection = connect({ sample: true });
const index = await monthlyIndices("T1", { from: 2016, connection });
console.log(index.select("month", "month_index", "last12_month_index").tail(3).toString());

await Deno.mkdir("out", { recursive: true });
await plotMonthlyIndices(index, { title: "Wind index of T1" }).save("out/index.svg");
const budget = planBudget(index);
console.log(budget.summary.join("\\n"));
await saveReport(answerReport(budget, { charts: [plotBudget(budget)], name: "budget" }), "out");
`;

/** Where a project finds this library: beside it on this machine, or in a registry alone. */
function findLibrary(folder: string): { readonly links?: readonly string[] } {
  const library = new URL("../../", import.meta.url);
  if (library.protocol !== "file:") return {};
  const path = relative(folder, decodeURIComponent(library.pathname));
  return { links: [path.startsWith("..") ? path : `./${path}`] };
}

/** The files of a project by their paths below its folder. */
async function listFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const config = {
    ...findLibrary(folder),
    imports: { [project.name]: `jsr:${project.name}@${project.version}` },
    permissions: {
      default: {
        ffi: true,
        sys: ["cpus", "hostname", "networkInterfaces"],
        read: true,
        write: ["out", homeFolder()],
        env: ["CI", "HOME", "INIT_CWD", "TERM", "USERPROFILE", "VINDKIT_*"],
        net: ["127.0.0.1"],
      },
    },
    tasks: {
      first: { description: "Runs the first script", command: "deno run -q -P first.ts" },
    },
  };
  const lock = config.links &&
    await buildLinkedLock(
      { ...project, lock: `${folder}/${config.links[0]}/deno.lock` },
      Object.values(config.imports),
    );
  const asJson = (value: unknown) => JSON.stringify(value, null, 2) + "\n";
  return {
    ".gitignore": "out/\n",
    ".vscode/settings.json": asJson({ "deno.enable": true }),
    "deno.json": asJson(config),
    ...(lock ? { "deno.lock": lock } : {}),
    "first.ts": SCRIPT,
  };
}

/** Writes a folder for scripts of one's own, with a first one that runs and that an editor understands. */
export const newProject: Command = {
  forms: ["DIR"],
  arguments: { DIR: "folder for scripts of your own; created where it is missing" },
  options: {},
  example: "my-wind",
  notes: [
    "deno.json of the folder finds this library where it is now, and says what scripts may do: a service needs its host " +
    "in permissions.default.net. Files that are there already are never replaced.",
  ],
  rest: 1,
  async run({ rest: [given] }) {
    const folder = await Deno.mkdir(callerPath(given), { recursive: true })
      .then(() => Deno.realPath(callerPath(given)));
    const files = Object.entries(await listFiles(folder));
    for (const [name] of files) {
      if (await exists(`${folder}/${name}`)) {
        throw new Error(`Cannot begin in ${folder}: it has ${name} already. Give another folder`);
      }
    }
    await Deno.mkdir(`${folder}/.vscode`, { recursive: true });
    for (const [name, text] of files) {
      await Deno.writeTextFile(`${folder}/${name}`, text, { createNew: true });
    }
    console.log(
      `${folder} has a first script. Run it, then change it:\n  cd ${
        shellWord(given)
      }\n  deno task first`,
    );
  },
};
