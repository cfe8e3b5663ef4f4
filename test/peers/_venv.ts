/**
 * The peers: Python programs of others that check the service. Their packages are in a virtual environment outside
 * the repository, named by `VINDKIT_PEERS`. `.ci/run` creates it if Python is installed.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { PORT_TAKEN } from "../../src/notebook/kernel/kernel.ts";

const venv = Deno.env.get("VINDKIT_PEERS");

/** Path of a file in this folder. */
export function peerFile(name: string): string {
  return new URL(name, import.meta.url).pathname;
}

const listMissing = "import importlib.util, sys\n" +
  "print(*[name for name in sys.argv[1:] if not importlib.util.find_spec(name)])";

/** Why Python packages cannot be used; `undefined` if they can. */
export function whyWithout(...packages: readonly string[]): string | undefined {
  if (!venv) return "VINDKIT_PEERS names no virtual environment of Python";
  try {
    const { success, stdout } = new Deno.Command(`${venv}/bin/python`, {
      args: ["-c", listMissing, ...packages],
    }).outputSync();
    const missing = new TextDecoder().decode(stdout).trim();
    return success && missing === ""
      ? undefined
      : `${venv} has no ${missing || "Python that runs"}`;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return `there is no Python in ${venv}`;
    throw error;
  }
}

/** Why Node programs cannot be used; `undefined` if they can. `node_packages.txt` lists their packages. */
export function whyWithoutNode(...programs: readonly string[]): string | undefined {
  if (!venv) return "VINDKIT_PEERS names no virtual environment of Python";
  const missing = programs.filter((program) => {
    try {
      return !Deno.statSync(`${venv}/node/node_modules/.bin/${program}`).isFile;
    } catch {
      return true;
    }
  });
  return missing.length === 0 ? undefined : `${venv}/node has no ${missing.join(", ")}`;
}

/** How {@linkcode runPeer} runs a program. */
export interface RunPeer {
  readonly args: readonly string[];
  /** Working folder, which is removed with the files it leaves. */
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Output of a program. */
export interface PeerSaid {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/**
 * Runs a program of the virtual environment, such as `python`, to its end. Repeats it once if another test took the
 * port that Jupyter chose for a kernel, because Jupyter does not choose again.
 */
export async function runPeer(program: string, how: RunPeer): Promise<PeerSaid> {
  const said = await runOnce(program, how);
  return said.code !== 0 && said.err.includes(PORT_TAKEN) ? await runOnce(program, how) : said;
}

async function runOnce(
  program: string,
  { args, cwd, env, input = "" }: RunPeer,
): Promise<PeerSaid> {
  const child = new Deno.Command(`${venv}/bin/${program}`, {
    args: [...args],
    cwd,
    env: { ...env, PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1", NO_PROXY: "*" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  const written = writer.write(new TextEncoder().encode(input)).then(() => writer.close());
  const [{ code, stdout, stderr }] = await Promise.all([child.output(), written]);
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes));
  return { code, out, err };
}

/** Runs a Python script of this folder, and parses the JSON it prints. */
export async function jsonOfPeer(script: string, how: RunPeer): Promise<unknown> {
  const { code, out, err } = await runPeer("python", {
    ...how,
    args: [peerFile(script), ...how.args],
  });
  assertEquals(code, 0, err.slice(-3000));
  return JSON.parse(out);
}
