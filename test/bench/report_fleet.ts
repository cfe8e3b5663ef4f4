import { CHROMIUM } from "../service/pages/_browser.ts";
import { runScript, withFleetServer } from "./_fleet_process.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { measureProcess } from "./_process_use.ts";

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

async function report(url: string): Promise<RunFigures> {
  const folder = await Deno.makeTempDir();
  const { stdout, success } = await runScript(
    "_report_work.ts",
    url,
    String(TURBINES),
    folder,
  ).output();
  await Deno.remove(folder, { recursive: true });
  if (!success) throw new Error("The report was not made");
  return JSON.parse(new TextDecoder().decode(stdout)) as RunFigures;
}

/**
 * Measures the monthly report of 500 turbines with compared predictions, as HTML, Markdown and JSON, in one thread.
 * The client requests details and indices, one request each, from a server that computes nothing.
 */
export async function reportFleet(): Promise<BenchmarkRow[]> {
  return await withFleetServer(async (url) => {
    const { seconds, memory, files, bytes, page } = await report(url);
    return [
      {
        what: `report of ${TURBINES} turbines, two cores`,
        measured: `${seconds.toFixed(1)} s, ${(memory / GIGABYTE).toFixed(2)} GB`,
        bound: "30 s or less, under 2 GB",
        holds: seconds <= 30 && memory < 2 * GIGABYTE,
      },
      {
        what: `fleet page of ${TURBINES} turbines, and all files`,
        measured: `${(page / MEGABYTE).toFixed(2)} MB; ${files} files, ${
          (bytes / MEGABYTE).toFixed(0)
        } MB`,
        bound: "2 MB or less; 3 files per turbine and 3 more",
        holds: page <= 2 * MEGABYTE && files === 3 * TURBINES + 3,
      },
    ];
  });
}

/** Number of turbines in a workbook and a PDF. */
const IN_ONE_FILE = 200;

/**
 * Measures the report of 200 turbines as a workbook, and as a PDF if Chromium is installed: time, which says little
 * on a busy machine, processor time, and the memory of the largest process (for a PDF the browser).
 */
export async function reportInOneFile(): Promise<BenchmarkRow[]> {
  return await withFleetServer(async (url) => {
    const rows: BenchmarkRow[] = [];
    for (const form of CHROMIUM ? ["xlsx", "pdf"] : ["xlsx"]) {
      const folder = await Deno.makeTempDir();
      const child = runScript("_report_work.ts", url, String(IN_ONE_FILE), folder, form)
        .spawn();
      const output = new Response(child.stdout).text();
      let [memory, cpu, running] = [0, 0, true];
      child.status.then(() => running = false);
      while (running) {
        const use = await measureProcess(child.pid);
        [memory, cpu] = [Math.max(memory, use.memory), Math.max(cpu, use.cpu)];
        await new Promise((later) => setTimeout(later, 300));
      }
      const { seconds, page } = JSON.parse(await output) as RunFigures;
      const file = await Deno.readFile(`${folder}/report.${form}`);
      const pages = new TextDecoder("latin1").decode(file).match(/\/Type \/Page\b/g)?.length;
      await Deno.remove(folder, { recursive: true });
      rows.push({
        what: `report of ${IN_ONE_FILE} turbines as ${form}`,
        measured: `${seconds.toFixed(0)} s, ${cpu.toFixed(0)} s of processor time, ${
          (memory / GIGABYTE).toFixed(2)
        } GB, ${(page / MEGABYTE).toFixed(0)} MB${pages ? `, ${pages} pages` : ""}`,
        bound: "90 s of processor time or less, under 3 GB",
        holds: cpu <= 90 && memory < 3 * GIGABYTE,
      });
    }
    return rows;
  });
}
