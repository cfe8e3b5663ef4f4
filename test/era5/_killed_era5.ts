/**
 * Processes that call `era5()`, and are killed when the stand-in sees a request of a kind.
 *
 * @module
 */
import { delay } from "@std/async";
import { CDS_KEY, type CdsRoute, type CdsServer } from "./_cds_server.ts";

const SCRIPT = new URL("./_era5_process.ts", import.meta.url).pathname;

/** Starts a process that gets two months from the stand-in. */
export function startEra5({ home, url }: CdsServer): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "--allow-all", "--no-check", SCRIPT],
    // A key without its address plays no part.
    env: { CDSAPI_URL: url, CDSAPI_KEY: CDS_KEY, VINDKIT_HOME: home, VINDKIT_KEY: "no-address" },
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** The last line that a process wrote, which is the number of its hours; of a failure its message. */
export async function readLastLine(child: Deno.ChildProcess): Promise<string> {
  const { stdout, stderr } = await child.output();
  const [out, err] = [stdout, stderr].map((bytes) => new TextDecoder().decode(bytes).trim());
  return out.split("\n").at(-1) || err;
}

/** Whether a part of a download is on the disk. */
async function hasPart(home: string): Promise<boolean> {
  try {
    for await (const { name } of Deno.readDir(`${home}/downloads`)) {
      if (name.endsWith(".part")) return (await Deno.stat(`${home}/downloads/${name}`)).size > 0;
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error; // the folder is made with the part
  }
  return false;
}

/** When a process is killed. */
export interface Moment {
  /** At a request of this kind. */
  readonly on: CdsRoute;
  /** Requests of this kind before that one. */
  readonly after?: number;
  /** Whether the request takes effect before its answer is lost. */
  readonly late: boolean;
  /** Bytes of the answer that are sent before. */
  readonly bytes?: number;
}

/**
 * Starts a process and puts it to death at a moment; what it does not come to is no death.
 *
 * @param start Starts it. @default one that calls `era5()`
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
