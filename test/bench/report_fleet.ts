import type { BenchmarkRow } from "./_measured.ts";

const TURBINES = 500;
const GIGABYTE = 1e9;
const MEGABYTE = 1e6;

interface RunFigures {
  readonly seconds: number;
  readonly memory: number;
  readonly files: number;
  readonly bytes: number;
  readonly page: number;
}

function run(script: string, ...args: string[]): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-all", // reading the process's own status under /proc takes no less
      new URL(script, import.meta.url).pathname,
      ...args,
    ],
    stdout: "piped",
  });
}

async function report(url: string, workers: number): Promise<RunFigures> {
  const folder = await Deno.makeTempDir();
  const { stdout, success } = await run(
    "_report_work.ts",
    url,
    String(TURBINES),
    folder,
    String(workers),
  ).output();
  await Deno.remove(folder, { recursive: true });
  if (!success) throw new Error("The report was not made");
  return JSON.parse(new TextDecoder().decode(stdout)) as RunFigures;
}

/**
 * The monthly report of 500 turbines with predictions compared, by the client from a server over HTTP that computes
 * nothing: HTML, Markdown and JSON, with a worker beside it and without. Details and indices are asked for, a request each.
 */
export async function reportFleet(): Promise<BenchmarkRow[]> {
  const server = run("_fleet_server.ts").spawn();
  const reader = server.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const url = (await reader.read()).value!.trim();
  try {
    const alone = await report(url, 0);
    const { seconds, memory, files, bytes, page } = await report(url, 1);
    return [
      {
        what: `report of ${TURBINES} turbines, two cores`,
        found: `${seconds.toFixed(1)} s (${alone.seconds.toFixed(1)} s in one thread), ${
          (memory / GIGABYTE).toFixed(2)
        } GB`,
        bound: "30 s or less, under 2 GB",
        holds: seconds <= 30 && memory < 2 * GIGABYTE,
      },
      {
        what: `fleet page of ${TURBINES} turbines, and all files`,
        found: `${(page / MEGABYTE).toFixed(2)} MB; ${files} files, ${
          (bytes / MEGABYTE).toFixed(0)
        } MB`,
        bound: "2 MB or less; 3 files a turbine and 3 more",
        holds: page <= 2 * MEGABYTE && files === 3 * TURBINES + 3,
      },
    ];
  } finally {
    server.kill();
    await reader.cancel();
    await server.status;
  }
}
