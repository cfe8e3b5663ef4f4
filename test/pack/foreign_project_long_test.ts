/**
 * The package used without a checkout: a separate project with its own `deno.json` next to the packed npm form.
 *
 * The JSR form does not run here, because its `@std` comes from JSR, which not every test machine can reach. The
 * sources are the same, and `deno publish` rejects the same errors (slow types, bad exports) in the npm form.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { KernelClient } from "../../src/notebook/kernel/kernel_client.ts";
import { findFreeConnection, writeConnection } from "../../src/notebook/wire/kernel_connection.ts";
import { notebookText } from "../notebook/_folder.ts";
import { pack } from "./pack.ts";

const CHECKOUT = new URL("../../", import.meta.url).pathname;

/** Permissions of a script, and of a command that only uses the sample. */
const ALLOWED = ["--allow-ffi", "--allow-sys", "--allow-env", "--allow-read", "--allow-write"];

const CLI = "@vindkit/vindkit/cli";

const MAIN =
  `import { connect, monthlyIndices, plotMonthlyIndices, turbines } from "@vindkit/vindkit";
import { defineSite } from "@vindkit/vindkit/sites";
import { own } from "zod";

await using connection = connect({ sample: true });
const fleet = await turbines({ connection });
const index = await monthlyIndices("T1", { from: "2023-01", to: "2024-12", connection });
await plotMonthlyIndices(index).save("chart.svg");
console.log(fleet.height, index.height, typeof defineSite, own);
`;

let root: string;

/** The sample that other tests made, because making it takes a minute. */
const SAMPLE = { VINDKIT_HOME: `${CHECKOUT}.vindkit` };

/** A Deno command in a folder below the temporary one, without the user's variables. */
function denoIn(folder: string, args: readonly string[], env: Record<string, string> = {}) {
  return new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: `${root}/${folder}`,
    env: {
      INIT_CWD: "",
      NO_COLOR: "1",
      ...SAMPLE,
      VINDKIT_URL: "",
      VINDKIT_KEY: "",
      VINDKIT_DATA: "",
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs Deno in a folder, and returns its output. It must succeed. */
async function run(folder: string, ...args: string[]): Promise<string> {
  return await runIn(folder, args);
}

async function runIn(folder: string, args: readonly string[], env?: Record<string, string>) {
  const { code, stdout, stderr } = await denoIn(folder, args, env).output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  assertEquals(code, 0, out + err);
  return out;
}

/** Addresses of the modules of a program that are files. */
async function filesOf(folder: string, entry: string): Promise<string[]> {
  const { modules } = JSON.parse(await run(folder, "info", "--json", entry)) as {
    modules: { specifier: string; error?: string }[];
  };
  assertEquals(modules.filter(({ error }) => error !== undefined), []);
  return modules.map(({ specifier }) => specifier).filter((one) => one.startsWith("file:"));
}

async function write(path: string, content: string | object): Promise<void> {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  await Deno.mkdir(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
  await Deno.writeTextFile(`${root}/${path}`, text);
}

describe("a project that has only the package", () => {
  beforeAll(async () => {
    root = await Deno.realPath(await Deno.makeTempDir({ prefix: "vindkit-foreign-" }));
    await pack(root);
    const { exports } = JSON.parse(await Deno.readTextFile(`${root}/npm/deno.json`));
    const ours = Object.entries<string>(exports).map(([key, path]) => [
      `@vindkit/vindkit${key.slice(1)}`,
      new URL(path, "file:///npm/").pathname.replace(/^/, ".."),
    ]);
    // The project maps a name that the library uses. This must not affect the library.
    await write("project/deno.json", {
      imports: { ...Object.fromEntries(ours), "zod": "./own.ts" },
    });
    await write("project/own.ts", 'export const own = "own";\n');
    await write("project/main.ts", MAIN);
    await write("project/all.ts", ours.map(([name]) => `import "${name}";\n`).join(""));
    await write("bare/readme.txt", "a folder without a deno.json");
  });
  afterAll(() => Deno.remove(root, { recursive: true }));

  it("runs a script on the sample, and checks its types and those of the whole package", async () => {
    const environment = { VINDKIT_HOME: `${root}/home` }; // where the package creates the sample
    const words = ["run", ...ALLOWED, "main.ts"];
    assertEquals(await runIn("project", words, environment), "8 24 function own\n");
    assertStringIncludes(await Deno.readTextFile(`${root}/project/chart.svg`), "SYNTHETIC");
    await run("project", "check", "main.ts", "all.ts");
  });

  it("NB11: runs the script of the README by the line beside it", async () => {
    const readme = await Deno.readTextFile(`${root}/npm/README.md`);
    const [script] = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, code]) => code);
    const [, words, name] = /^deno (run .*?([\w-]+\.ts))$/m.exec(readme)!;
    await write(`project/${name}`, script);
    const out = await runIn("project", words.split(" "));
    assertStringIncludes(out, "Vesterklit Rev 1: 24 months");
    assert((await Deno.stat(`${root}/project/out/monthly_indices.svg`)).isFile);
  });

  it("loads no file of a checkout", async () => {
    for (
      const entry of ["main.ts", `${root}/npm/src/cli/mod.ts`, `${root}/npm/src/testing/mod.ts`]
    ) {
      const files = await filesOf("project", entry);
      assert(files.length > 100, entry);
      assertEquals(files.filter((file) => !file.startsWith(`file://${root}/`)), []);
      assert(!files.some((file) => file.includes(CHECKOUT)));
    }
  });

  it("P3: fetches with one import what an analyst needs, and nothing of what many machines share", async () => {
    const { modules } = JSON.parse(await run("project", "info", "--json", "main.ts")) as {
      modules: { specifier: string }[];
    };
    const packages = modules.flatMap(({ specifier }) =>
      /^npm:\/?((?:@[^/]+\/)?[^@/]+)@/.exec(specifier)?.[1] ?? []
    );
    assertEquals([...new Set(packages)].sort(), [
      ...["@resvg/resvg-js", "@zip.js/zip.js", "deno-std", "h5wasm", "hono", "hucre"],
      ...["nodejs-polars", "swagger-ui-dist", "topojson-client", "vega", "vega-lite"],
      ...["world-atlas", "zod"],
    ]);
  });

  it("is used by its name where the project links it", async () => {
    await write("linked/deno.json", {
      links: ["../npm"],
      imports: { "@vindkit/vindkit": "jsr:@vindkit/vindkit@^0.1.0", "zod": "../project/own.ts" },
    });
    await write("linked/main.ts", MAIN);
    assertEquals(await run("linked", "run", ...ALLOWED, "main.ts"), "8 24 function own\n");
    assertMatch(await run("linked", "run", CLI, "--version"), /^vindkit \d+\.\d+\.\d+\n$/);
  });

  it("writes reports by the command line", async () => {
    const words = ["report", "--sample", "--month", "2024-12", "--to", "report"];
    const out = await run("project", "run", ...ALLOWED, CLI, ...words);
    assertMatch(out, /report\/index\.html: 7 of 8 turbines, 24 files/);
    assert((await Deno.stat(`${root}/project/report/index.html`)).isFile);
    const help = await run("project", "run", ...ALLOWED, CLI, "report", "--help");
    assertStringIncludes(help, "\n  vindkit report [OPTIONS]");
  });

  it("serves the sample until SIGTERM", async () => {
    const words = ["serve", "--sample", "--port", "0"];
    const allowed = [...ALLOWED, "--allow-net=127.0.0.1"];
    const env = { OTEL_DENO_TRACING: "false", VINDKIT_HOME: `${root}/home` };
    const child = denoIn("project", ["run", ...allowed, CLI, ...words], env).spawn();
    const err = new Response(child.stderr).text();
    const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    let begun = "";
    while (!begun.includes("with Ctrl-C\n")) {
      const { done, value } = await reader.read();
      if (done) throw new Error(`it has ended: ${begun}${await err}`);
      begun += value;
    }
    try {
      const [, url] = /at (http:\S+)/.exec(begun)!;
      const [key] = /[0-9a-f]{64}/.exec(begun)!;
      const response = await fetch(`${url}/wind-index/calibrated/`, {
        headers: { [KEY_HEADER]: key },
      });
      assertEquals([response.status, (await response.json()).length], [200, 8]);
      const page = await fetch(`${url}/wind-index/ui/`); // its script comes from a package
      assertEquals([page.status, (await page.text()).includes("<html")], [200, true]);
    } finally {
      child.kill("SIGTERM");
      await reader.cancel();
    }
    assertEquals((await child.status).code, 0, await err);
  });

  for (const folder of ["project", "bare"]) {
    it(`runs and checks a notebook in a folder ${folder === "bare" ? "without" : "with"} a deno.json`, async () => {
      const code = 'import { monthlyIndices } from "@vindkit/vindkit";\n' +
        'import { makeFleetReport } from "@vindkit/vindkit/report";\n' +
        'const index = await monthlyIndices("T1", { from: "2024-01", to: "2024-03" });\n' +
        "`${index.height} ${typeof makeFleetReport}`";
      await write(`${folder}/first.ipynb`, notebookText([code]));
      const entry = `${root}/npm/src/cli/mod.ts`;
      const allowed = [
        "--allow-read",
        "--allow-write",
        "--allow-env",
        "--allow-run",
        "--allow-net",
      ];
      await run(folder, "run", ...allowed, entry, "notebooks", "first.ipynb", "--write");
      assertStringIncludes(await Deno.readTextFile(`${root}/${folder}/first.ipynb`), "3 function");
      await run(folder, "run", ...allowed, entry, "notebooks", "first.ipynb", "--check");
    });
  }

  it("installs a kernel that knows the package in any folder", async () => {
    const words = ["kernel", "--to", `${root}/jupyter`];
    const allowed = ["--allow-read", "--allow-write", "--allow-env"];
    await run("project", "run", ...allowed, CLI, ...words);
    const spec = await Deno.readTextFile(`${root}/jupyter/kernels/vindkit/kernel.json`);
    assert(!spec.includes(CHECKOUT), spec);
    const connection = findFreeConnection();
    await write("connection.json", writeConnection(connection));
    const [, ...args] = (JSON.parse(spec).argv as string[]).map((part) =>
      part.replace("{connection_file}", `${root}/connection.json`)
    );
    const process = denoIn("bare", args).spawn();
    const output = Promise.all([process.stdout, process.stderr].map((one) => one.cancel()));
    await using client = await KernelClient.connect(connection, new AbortController().signal);
    await client.prepare("");
    let result: unknown;
    const code = 'import { saveReport } from "@vindkit/vindkit/report"; typeof saveReport';
    await client.execute(code, ({ type, content }) => {
      if (type === "execute_result") {
        result = (content.data as Record<string, string>)["text/plain"];
      }
    });
    assertEquals(result, '"function"');
    process.kill("SIGTERM");
    await process.status;
    await output;
  });

  it("would be published", async () => {
    await run("npm", "publish", "--dry-run", "--allow-dirty", "--no-check"); // see above
  });
});
