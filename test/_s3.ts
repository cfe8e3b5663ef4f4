/**
 * A separate S3 server for a test: versitygw with a temporary folder, on loopback.
 *
 * @module
 */
import { afterAll, beforeAll, describe } from "@std/testing/bdd";
import { findFreePort, waitForPort } from "./_ports.ts";

const ACCESS_KEY = "vindkit-test";
const SECRET_KEY = "secret-of-the-test";

/** Name of its bucket. */
const BUCKET = "vindkit";

/** A running server with an empty bucket. */
export interface S3Server {
  /** Address of the bucket for Vindkit, such as `s3://vindkit`. */
  readonly address: string;
  /** Its endpoint, such as `http://127.0.0.1:7070`. */
  readonly endpoint: string;
  /** Folder of the objects, which are files that a test can damage. */
  readonly folder: string;
  /** Its process. */
  readonly pid: number;
  /** Environment variables for clients: endpoint, region and credentials. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

function findProgram(): string | undefined {
  const folders = [
    `${Deno.env.get("VINDKIT_PEERS")}/bin`,
    ...(Deno.env.get("PATH") ?? "").split(":"),
  ];
  return folders.map((folder) => `${folder}/versitygw`).find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

const program = findProgram();

/** Whether a server can be started. */
export const hasS3: boolean = program !== undefined;

/**
 * Starts a server.
 *
 * @throws {Error} If versitygw is not installed
 */
export async function startS3(): Promise<S3Server> {
  if (program === undefined) {
    throw new Error(
      "Cannot start an S3 server: versitygw is neither in the bin of the folder that VINDKIT_PEERS " +
        "names nor on the PATH. Install it: " +
        "go install github.com/versity/versitygw/cmd/versitygw@v1.8.0",
    );
  }
  const folder = await Deno.makeTempDir({ prefix: "vindkit-s3-" });
  await Deno.mkdir(`${folder}/${BUCKET}`);
  const port = findFreePort();
  const child = new Deno.Command(program, {
    args: ["--port", `127.0.0.1:${port}`, "posix", folder],
    env: { ROOT_ACCESS_KEY: ACCESS_KEY, ROOT_SECRET_KEY: SECRET_KEY },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await waitForPort(port);
  const endpoint = `http://127.0.0.1:${port}`;
  return {
    address: `s3://${BUCKET}`,
    endpoint,
    folder: `${folder}/${BUCKET}`,
    pid: child.pid,
    environment: {
      AWS_ENDPOINT_URL: endpoint,
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    },
    async stop() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/**
 * A group of tests with its own server; skipped, with the reason in its name, if versitygw is not installed.
 *
 * @param define Defines the tests; the server runs during them
 */
export function describeWithS3(name: string, define: (server: () => S3Server) => void): void {
  if (program === undefined) {
    describe.ignore(`${name} (left out: versitygw is not installed)`, () => define(fail));
    return;
  }
  describe(name, () => {
    let server: S3Server;
    beforeAll(async () => {
      server = await startS3();
    });
    afterAll(() => server.stop());
    define(() => server);
  });
}

function fail(): never {
  throw new Error("there is no server");
}
