import type { OperationId } from "../../src/api/operations/operation.ts";
import { KEY_HEADER, operationOf } from "../../src/api/operations/operations.ts";
import { buildPath } from "../service/_sample.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

/** The sample behind `deno task serve --log`, in a process of its own, its log in a file. */
export interface SampleService {
  /** Its address. */
  readonly url: string;
  /** A key of the local licence. */
  readonly key: string;
  /** Folder of the sample. */
  readonly data: string;
  /** Address of an operation. */
  address(operation: OperationId, values: Record<string, string | number>): string;
  /** Asks it, and reads the answer. */
  ask(address: string): Promise<Uint8Array>;
  /** Ends it, and removes what it wrote. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Reads a file until it contains a text. */
async function wordFrom(path: string, pattern: RegExp): Promise<string> {
  for (let left = 600; left > 0; left--) {
    const found = pattern.exec(await Deno.readTextFile(path));
    if (found) return found[1];
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`The service did not begin: ${await Deno.readTextFile(path)}`);
}

/** Runs a task of this project; what it prints goes into a file. */
function task(words: readonly string[], home: string, log: string): Deno.ChildProcess {
  return new Deno.Command("sh", {
    args: ["-c", 'exec "$@" > "$LOG" 2>&1', "sh", Deno.execPath(), "task", "--quiet", ...words],
    cwd: ROOT,
    env: { LOG: log, VINDKIT_HOME: home, VINDKIT_URL: "", VINDKIT_KEY: "", VINDKIT_DATA: "" },
  }).spawn();
}

/** Starts the service on a sample of its own. */
export async function sampleService(): Promise<SampleService> {
  const home = await Deno.makeTempDir();
  const log = `${home}/log`;
  await Deno.writeTextFile(log, "");
  const child = task(["serve", "--sample", "--port", "0", "--log"], home, log);
  const url = await wordFrom(log, /at (http:\S+)\n/);
  const key = await wordFrom(log, /once: (\S+)\n/);
  const [data] = [...Deno.readDirSync(home)].filter(({ isDirectory }) => isDirectory);
  return {
    url,
    key,
    data: `${home}/${data.name}`,
    address: (operation, values) => url + buildPath(operationOf(operation), values),
    ask: async (address) => {
      const headers = { [KEY_HEADER]: key, "accept-encoding": "identity" };
      const response = await fetch(address, { headers });
      const bytes = await response.bytes();
      if (!response.ok) throw new Error(new TextDecoder().decode(bytes));
      return bytes;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(home, { recursive: true });
    },
  };
}
