import { relative, resolve } from "node:path";
import project from "../../deno.json" with { type: "json" };
import { exists } from "../disk/files.ts";
import { homeFolder } from "../disk/home.ts";
import { buildLinkedLock } from "../disk/linked_lock.ts";
import { callerPath } from "./command/arguments.ts";
import { type Arguments, type Command, MisuseError } from "./command/command.ts";
import { shellWord } from "../storage/mod.ts";

/** Source of the figures of a folder. */
interface Source {
  /** Comment about it in the first script. */
  readonly comment: string;
  /** Options of `connect()` in the first script. */
  readonly options: string;
  /** Folders that scripts write to. */
  readonly folders: readonly string[];
  /** Hosts that scripts connect to. */
  readonly hosts: readonly string[];
}

function readSource({ text }: Arguments): Source {
  const [data, url] = [text("data"), text("url")];
  if (data !== undefined && url !== undefined) {
    throw new MisuseError(
      "Cannot use --data and --url together: both name a source. Omit one of these options",
    );
  }
  if (data !== undefined) {
    const folder = resolve(callerPath(data));
    return {
      comment:
        "// Your own figures. To try out something with invented figures: connect({ sample: true }).",
      options: `{ data: ${JSON.stringify(folder)} }`,
      folders: [folder], // SQLite writes next to a database that it reads
      hosts: [],
    };
  }
  if (url !== undefined) {
    const address = URL.parse(url);
    if (!address || !/^https?:$/.test(address.protocol) || address.username || address.search) {
      throw new MisuseError(
        "Cannot read --url: the value must be an http or https address, without user name and query. Give an address such as https://host/",
      ); // it may be a key
    }
    return {
      comment:
        "// Figures of the service. For invented figures, without a key: connect({ sample: true }).",
      options: `{ url: ${JSON.stringify(url)}, key: Deno.env.get("VINDKIT_KEY") }`,
      folders: [],
      hosts: [address.host],
    };
  }
  return {
    comment:
      `// All figures are SYNTHETIC: they come from the sample. For other figures, change the line with \`await using\`:
// connect({ data: "data" }) reads the data that \`deno task import SITE.json --data DIR\` put into data/ in this folder.
// connect() uses the service on this machine that VINDKIT_URL and VINDKIT_KEY name.
// For data elsewhere or a service on another machine, make a folder with \`deno task new\` and --data or --url.`,
    options: "{ sample: true }",
    folders: [],
    hosts: [],
  };
}

/** Content of the first script: figures, a chart, and a question with its page. */
function writeScript({ comment, options }: Source): string {
  return `${comment}
import { connect, monthlyIndices, planBudget, plotBudget, plotMonthlyIndices, turbines } from "${project.name}";
import { answerReport, saveReport } from "${project.name}/report";

await using connection = connect(${options});
const turbine = String((await turbines({ connection })).getColumn("turbine_id").get(0));
const index = await monthlyIndices(turbine, { from: 2016, connection });
console.log(index.select("month", "month_index", "last12_month_index").tail(3).toString());

await Deno.mkdir("out", { recursive: true });
await plotMonthlyIndices(index, { title: \`Wind index of \${turbine}\` }).save("out/index.svg");
const budget = planBudget(index);
console.log(budget.summary.join("\\n"));
await saveReport(answerReport(budget, { charts: [plotBudget(budget)], name: "budget" }), "out");
`;
}

/** Location of this library for a project: on this machine, or only in a registry. */
function findLibrary(folder: string): { readonly links?: readonly string[] } {
  const library = new URL("../../", import.meta.url);
  if (library.protocol !== "file:") return {};
  const path = relative(folder, decodeURIComponent(library.pathname));
  return { links: [path.startsWith("..") ? path : `./${path}`] };
}

/** Variables read by connections and sources of climate. */
const VARIABLES = [
  ...["CDSAPI_*", "CI", "HOME", "INIT_CWD", "OPEN_METEO_*", "TERM", "USERPROFILE", "VINDKIT_*"],
  ...["ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "all_proxy", "http_proxy", "https_proxy"],
];

/** Hosts of this machine, and of the services with ERA5. */
const HOSTS = [
  ...["127.0.0.1", "localhost", "[::1]"],
  ...["*.copernicus.eu", "*.ecmwf.int", "*.open-meteo.com"],
];

/** The files of a project by their paths in its folder. */
async function listFiles(
  folder: string,
  source: Source,
): Promise<Readonly<Record<string, string>>> {
  const config = {
    ...findLibrary(folder),
    imports: { [project.name]: `jsr:${project.name}@${project.version}` },
    permissions: {
      default: {
        ffi: true,
        sys: ["cpus", "hostname", "networkInterfaces"],
        read: true,
        write: [".", homeFolder(), ...source.folders],
        env: VARIABLES,
        net: [...HOSTS, ...source.hosts],
      },
    },
    tasks: {
      first: {
        description: "Runs the first script",
        command: "deno cache first.ts && deno run -q -P first.ts",
      },
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
    ...(lock && { "deno.lock": lock }),
    "first.ts": writeScript(source),
  };
}

/** Writes a folder for your own scripts, with a first one that runs and that editors understand. */
export const newProject: Command = {
  forms: ["DIR [--data DATA | --url URL]"],
  arguments: { DIR: "folder for your own scripts, created if missing" },
  options: {
    data: {
      value: "DATA",
      about: "your data directory, which scripts may use (default: the SYNTHETIC sample)",
    },
    url: {
      value: "URL",
      about: "address of a service, which scripts may reach with the key in VINDKIT_KEY",
    },
  },
  example: "my-wind",
  notes: [
    "The folder's deno.json points to the present folder of this library and lists the permissions of scripts. Scripts may " +
    "write into the folder and VINDKIT_HOME, and reach this machine and the services that have ERA5. The command never replaces existing files.",
  ],
  async run(args) {
    const [path] = args.rest;
    const source = readSource(args);
    const folder = await Deno.mkdir(callerPath(path), { recursive: true })
      .then(() => Deno.realPath(callerPath(path)));
    const files = Object.entries(await listFiles(folder, source));
    for (const [name] of files) {
      if (await exists(`${folder}/${name}`)) {
        throw new Error(
          `Cannot use the folder ${folder}: it already has ${name}. Give another folder`,
        );
      }
    }
    await Deno.mkdir(`${folder}/.vscode`, { recursive: true });
    for (const [name, text] of files) {
      await Deno.writeTextFile(`${folder}/${name}`, text, { createNew: true });
    }
    console.log(
      `Created a first script in ${folder}. Run it, then change it:\n  cd ${
        shellWord(path)
      }\n  deno task first`,
    );
  },
};
