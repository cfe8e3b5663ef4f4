import type { OperationId } from "../../src/api/operations/operation.ts";
import { KEY_HEADER, operationOf } from "../../src/api/operations/operations.ts";
import { buildPath } from "../service/_sample.ts";
import { startLogged } from "./_logged_server.ts";

/** The sample served by `deno task serve --log` in a separate process that logs to a file. */
export interface SampleService {
  /** Its address. */
  readonly url: string;
  /** A key of the local licence. */
  readonly key: string;
  /** Folder of the sample. */
  readonly data: string;
  /** Address of an operation. */
  address(operation: OperationId, values: Record<string, string | number>): string;
  /** Sends a request, and reads the answer. */
  ask(address: string): Promise<Uint8Array>;
  /** Ends it, and removes its files. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts the service on a new sample. */
export async function sampleService(): Promise<SampleService> {
  const home = await Deno.makeTempDir();
  const server = await startLogged(["serve", "--sample"], { VINDKIT_HOME: home });
  const key = await server.find(/once: (\S+)\n/);
  const [data] = [...Deno.readDirSync(home)].filter(({ isDirectory }) => isDirectory);
  return {
    url: server.url,
    key,
    data: `${home}/${data.name}`,
    address: (operation, values) => server.url + buildPath(operationOf(operation), values),
    ask: async (address) => {
      const headers = { [KEY_HEADER]: key, "accept-encoding": "identity" };
      const response = await fetch(address, { headers });
      const bytes = await response.bytes();
      if (!response.ok) throw new Error(new TextDecoder().decode(bytes));
      return bytes;
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await Deno.remove(home, { recursive: true });
    },
  };
}
