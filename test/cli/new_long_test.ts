import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { monthlyIndices } from "@vindkit/vindkit";
import { SAMPLE_FOLDER } from "../../src/sample/sample_world.ts";
import { withService } from "../../src/testing/mod.ts";
import { withOpenMeteo } from "../era5/_open_meteo_server.ts";
import { callCommand } from "./_command.ts";
import { runTaskWith, type TaskOutput } from "./_task.ts";

const ROOT = new URL("../../", import.meta.url);

/** A script that also imports other entries. */
const SCRIPT = `import { connect, turbineDetails } from "@vindkit/vindkit";
import { parametricPowerCurve } from "@vindkit/vindkit/sites";

await using connection = connect({ sample: true });
const curve = parametricPowerCurve({ ratedPower: 2300, rotorDiameter: 92 });
console.log((await turbineDetails("T1", { connection })).turbine_id, curve.length);
`;

/** Runs Deno in a folder, as a user with some environment variables does. */
async function denoWith(
  variables: Readonly<Record<string, string>>,
  folder: string,
  ...args: string[]
): Promise<TaskOutput> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args,
    cwd: folder,
    env: { VINDKIT_URL: "", VINDKIT_KEY: "", VINDKIT_DATA: "", NO_COLOR: "1", ...variables },
  }).output();
  const [out, error] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, error };
}

async function deno(home: string, folder: string, ...args: string[]): Promise<string> {
  const { code, out, error } = await denoWith({ VINDKIT_HOME: `${home}/home` }, folder, ...args);
  assertEquals(code, 0, error);
  return out;
}

/** A folder made by `new`, and the data that its scripts may read. */
interface Begun {
  readonly folder: string;
  /** Home of this library, which already has the sample. */
  readonly home: string;
  /** A data directory elsewhere. */
  readonly data: string;
}

async function withFolder(
  options: (data: string) => readonly string[],
  body: (folders: Begun) => Promise<void>,
): Promise<void> {
  const root = await Deno.realPath(await Deno.makeTempDir());
  try {
    const folders = { folder: `${root}/wind`, home: `${root}/home`, data: `${root}/data` };
    const { folder, home, data } = folders;
    for (const place of [data, `${home}/${SAMPLE_FOLDER}`]) {
      await withService(({ connection }) => monthlyIndices("T1", { connection }), {
        folder: place,
      });
    }
    const { code, error } = await runTaskWith(
      { VINDKIT_HOME: home },
      "new",
      folder,
      ...options(data),
    );
    assertEquals(code, 0, error);
    await body(folders);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Writes a script into a folder, and runs it as the folder's task runs the first one. */
async function runScript(
  { folder, home }: Begun,
  script: string,
  variables: Readonly<Record<string, string>> = {},
): Promise<TaskOutput> {
  await Deno.writeTextFile(`${folder}/own.ts`, script);
  const all = { VINDKIT_HOME: home, ...variables };
  return await denoWith(all, folder, "run", "-q", "-P", "own.ts");
}

/** The first script of a folder, and the options of `connect()` that its comment suggests. */
async function readProposals({ folder }: Begun): Promise<[script: string, proposed: string[]]> {
  const script = await Deno.readTextFile(`${folder}/first.ts`);
  const comment = script.slice(0, script.indexOf("import {"));
  return [script, [...comment.matchAll(/connect\(.*?\)/g)].map(([call]) => call)];
}

describe("deno task new", () => {
  it("U4, S16: writes a folder with scripts that run and type-check, and replaces nothing", async () => {
    const home = await Deno.makeTempDir();
    try {
      const folder = `${home}/my wind`;
      const created = await runTaskWith({ VINDKIT_HOME: `${home}/home` }, "new", folder);
      assertEquals(created.code, 0, created.error);
      assertStringIncludes(created.out, "deno task first");
      const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
      assertEquals(names, [".gitignore", ".vscode", "deno.json", "deno.lock", "first.ts"]);
      assertStringIncludes(await deno(home, folder, "task", "first"), "The expected energy of ");
      assertEquals(
        [...Deno.readDirSync(`${folder}/out`)].map(({ name }) => name).sort(),
        ["budget.html", "budget.json", "budget.md", "index.svg"],
      );
      await Deno.writeTextFile(`${folder}/second.ts`, SCRIPT);
      assertEquals(await deno(home, folder, "run", "-q", "-P", "second.ts"), "T1 45\n");
      await deno(home, folder, "check", "first.ts", "second.ts");

      const before = await Deno.readTextFile(`${folder}/first.ts`);
      const again = await callCommand("new", folder);
      assertEquals(again.code, 1);
      assertStringIncludes(again.error, "it already has .gitignore");
      assertEquals(await Deno.readTextFile(`${folder}/first.ts`), before);
    } finally {
      await Deno.remove(home, { recursive: true });
    }
  });

  it("NB8: has permissions for the suggestions in the first script's comment", async () => {
    await withFolder(() => [], async (folders) => {
      await Deno.rename(folders.data, `${folders.folder}/data`);
      const [script, proposed] = await readProposals(folders);
      assertEquals(proposed, ['connect({ data: "data" })', "connect()"]);
      await withService(async ({ url, key }) => {
        const service = { VINDKIT_URL: url, VINDKIT_KEY: key.reveal() };
        for (const [call, variables] of [[proposed[0], {}], [proposed[1], service]] as const) {
          const changed = script.replace("connect({ sample: true })", call);
          assert(changed.includes(`= ${call};`));
          const { code, out, error } = await runScript(folders, changed, variables);
          assertEquals(code, 0, error);
          assertStringIncludes(out, "The expected energy of ");
        }
      });
    });
  });

  it("NB8: has permissions for another data directory or service, if given", async () => {
    await withFolder((data) => ["--data", data], async (folders) => {
      const [script, proposed] = await readProposals(folders);
      assertStringIncludes(script, `connect({ data: "${folders.data}" })`);
      for (const call of [`connect({ data: "${folders.data}" })`, ...proposed]) {
        const { code, error } = await runScript(
          folders,
          script.replace(/connect\({ data.*\)/, call),
        );
        assertEquals(code, 0, error);
      }
    });
    await withFolder(() => ["--url", "https://wind.example.org:8443/api"], async (folders) => {
      const [script, proposed] = await readProposals(folders);
      const { permissions } = JSON.parse(await Deno.readTextFile(`${folders.folder}/deno.json`));
      assert(permissions.default.net.includes("wind.example.org:8443"));
      await withService(async ({ url, key }) => {
        const changed = script.replace("https://wind.example.org:8443/api", url);
        assert(changed !== script);
        for (
          const [text, VINDKIT_KEY] of [
            [changed, key.reveal()],
            [script.replace(/connect\({ url.*\)/, proposed[0]), ""],
          ]
        ) {
          const { code, error } = await runScript(folders, text, { VINDKIT_KEY });
          assertEquals(code, 0, error);
        }
      });
    });
  });

  it("NB8: has permissions for ERA5 and a lock next to the script", async () => {
    await withFolder(() => [], (folders) =>
      withOpenMeteo(async ({ url: OPEN_METEO_URL }) => {
        const script = `import { connect, era5, lockData, turbines } from "@vindkit/vindkit";
const place = { latitude: 55.5, longitude: 7.75, from: "2023-01", to: "2023-01" };
console.log((await era5({ ...place, source: "open-meteo" })).height);
await using connection = await lockData("own.lock.json", { connection: connect({ sample: true }) });
console.log((await turbines({ connection })).height);`;
        const { code, out, error } = await runScript(folders, script, { OPEN_METEO_URL });
        assertEquals([code, out], [0, "744\n8\n"], error);
        assert((await Deno.stat(`${folders.folder}/own.lock.json`)).isFile);
      }));
  });

  it("NB8: says what to change in deno.json if a permission is missing, and that works", async () => {
    await withFolder(() => [], async (folders) => {
      const { folder, data } = folders;
      const file = `${folder}/deno.json`;
      const saved = `${folder}/../saved`;
      await Deno.mkdir(saved);
      const head =
        'import { connect, monthlyIndices, plotMonthlyIndices } from "@vindkit/vindkit";\n';
      const load = `const index = await monthlyIndices("T1", { from: 2020, connection });\n`;
      const scripts: [kind: "net" | "write", value: string, script: string][] = [
        ["write", data, `const connection = connect({ data: "${data}" });\n${load}`],
        [
          "write",
          await Deno.realPath(saved),
          `const connection = connect({ sample: true });\n${load}` +
          `await plotMonthlyIndices(index).save("${await Deno.realPath(saved)}/index.svg");\n`,
        ],
        [
          "net",
          "wind.example.org",
          'const connection = connect({ url: "https://wind.example.org/", key: "k", timeout: 9000 });\n' +
          load,
        ],
      ];
      for (const [kind, value, script] of scripts) {
        const refused = await runScript(folders, head + script);
        assertEquals(refused.code, 1);
        const advice = `Add "${value}" to permissions.default.${kind} in ${file}, and run with -P`;
        assertStringIncludes(refused.error, `has no permission`);
        assertStringIncludes(refused.error, advice);
        assert(!refused.error.split("\n")[0].includes("--allow"), refused.error);
        const config = JSON.parse(await Deno.readTextFile(file));
        config.permissions.default[kind].push(value);
        await Deno.writeTextFile(file, JSON.stringify(config));
        const { code, error } = await runScript(folders, head + script);
        assert(kind === "net" ? !error.includes("permission") : code === 0, error);
      }
    });
  });

  it("NB8: refuses both sources at once, and an invalid address", async () => {
    const refused = await callCommand("new", "wind", "--data", "a", "--url", "https://b.example/");
    assertEquals(refused.code, 2);
    assertStringIncludes(refused.error, "Cannot use --data and --url together");
    const none = await callCommand("new", "wind", "--url", "secret");
    assertEquals([none.code, none.error.includes("secret")], [2, false]);
  });

  it("NB11: runs the script of the README with the README's command", async () => {
    await withFolder(() => [], async ({ folder, home }) => {
      const readme = await Deno.readTextFile(new URL("README.md", ROOT));
      const [, script] = /^```ts\n([^]*?)^```/m.exec(readme)!;
      const [, words, name] = /^deno (run -P ([\w-]+\.ts))$/m.exec(readme)!;
      await Deno.writeTextFile(`${folder}/${name}`, script);
      const run = await denoWith({ VINDKIT_HOME: home }, folder, ...words.split(" "));
      assertEquals(run.code, 0, run.error);
      assertStringIncludes(run.out, ": 24 months");
      const plain = await denoWith({ VINDKIT_HOME: home }, folder, "run", name);
      assertStringIncludes(
        plain.error,
        "this program has no permissions. In a folder that `deno task new` created, run: deno run -P",
      );
    });
  });

  it("NB2: its task says at once why it waits, if the network stalls", async () => {
    const root = await Deno.makeTempDir();
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 }); // accepts connections, and never answers
    const { port } = listener.addr;
    await runTaskWith({ VINDKIT_HOME: `${root}/home` }, "new", `${root}/wind`);
    const { tasks } = JSON.parse(await Deno.readTextFile(`${root}/wind/deno.json`));
    const args = tasks.first.command.split(" && ")[0].split(" ").slice(1);
    const child = new Deno.Command(Deno.execPath(), {
      args, // the task's first command, because a signal to the task would not end it
      cwd: `${root}/wind`,
      env: {
        DENO_DIR: `${root}/cache`,
        NPM_CONFIG_REGISTRY: `http://127.0.0.1:${port}`,
        NO_COLOR: "1",
      },
      stdout: "null",
      stderr: "piped",
    }).spawn();
    let output = "";
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) {
      output += text;
      if (output.includes("\n")) break;
    }
    child.kill("SIGKILL");
    await child.status;
    assertStringIncludes(output, `Download http://127.0.0.1:${port}/`);
    await Deno.remove(root, { recursive: true });
  });

  it("is the command in the docs for users with a checkout", async () => {
    for (const page of ["README.md", "docs/getting-started.md"]) {
      assertStringIncludes(
        await Deno.readTextFile(new URL(page, ROOT)),
        "deno task new ../my-wind",
      );
    }
  });
});
