/**
 * Processes that call `era5()` and are killed when the fake server receives a certain request.
 *
 * @module
 */
import { delay } from "@std/async";
import { CDS_KEY, type CdsRoute, type CdsServer } from "./_cds_server.ts";

const SCRIPT = new URL("./_era5_process.ts", import.meta.url).pathname;

/** Starts a process that gets two months from the fake server. */
export function startEra5({ home, url }: CdsServer): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", SCRIPT],
    // A key without its address must be ignored.
    env: { CDSAPI_URL: url, CDSAPI_KEY: CDS_KEY, VINDKIT_HOME: home, VINDKIT_KEY: "no-address" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Reads the last line of a process: the number of its hours, or the message of a failure. */
export async function readLastLine(child: Deno.ChildProcess): Promise<string> {
  const { stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  return out.split("\n").at(-1) || err;
}

/** Whether a part of a download is on disk. */
async function hasPart(home: string): Promise<boolean> {
  try {
    for await (const { name } of Deno.readDir(`${home}/downloads`)) {
      if (name.endsWith(".part")) return (await Deno.stat(`${home}/downloads/${name}`)).size > 0;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // the folder is created with the part
  }
  return false;
}

/** Moment at which a process is killed. */
export interface Moment {
  /** At a request of this kind. */
  readonly on: CdsRoute;
  /** Number of requests of this kind before. */
  readonly after?: number;
  /** Whether the request takes effect before its answer is lost. */
  readonly late: boolean;
  /** Bytes of the answer sent before the kill. */
  readonly bytes?: number;
}

/**
 * Starts a process and kills it at a moment; fails if it never reaches that moment.
 *
 * @param start Starts the process. @default one that calls `era5()`
 */
export async function killAt(
  server: CdsServer,
  { on, after = 0, late, bytes }: Moment,
  start: (server: CdsServer) => Deno.ChildProcess = startEra5,
): Promise<void> {
  const seen = Promise.withResolvers<void>();
  const kill = () => {
    child.kill("SIGKILL");
    seen.resolve();
  };
  server.faults.push({
    on,
    after,
    late,
    answer: bytes === undefined
      ? () => {
        kill();
        return new Response(null, { status: 503 });
      }
      : {
        cutAfter: bytes,
        then: async () => {
          while (!await hasPart(server.home)) await delay(1);
          kill();
        },
      },
  });
  const child = start(server);
  const ended = child.output();
  await Promise.race([seen.promise, ended]);
  await ended;
  server.faults.length = 0;
}
