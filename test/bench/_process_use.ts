/** Resources used by processes so far. */
export interface ProcessUse {
  /** Processor time, s. */
  readonly cpu: number;
  /** Highest memory of a process, bytes. */
  readonly memory: number;
}

/** Ticks per second in /proc. */
const TICKS = 100;

/** Reads files of /proc with `cat`, because Deno would need all permissions. */
async function readAll(pattern: string): Promise<string> {
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", `cat ${pattern} 2> /dev/null`], // some processes end meanwhile
  }).output();
  return new TextDecoder().decode(stdout);
}

/** Measures a process and its descendants, including ended ones. */
export async function measureProcess(pid: number): Promise<ProcessUse> {
  const family = new Set([pid]);
  let cpu = 0;
  const processes = (await readAll("/proc/[0-9]*/stat")).trimEnd().split("\n").map((line) => {
    const fields = line.slice(line.lastIndexOf(")")).split(" ");
    return { id: parseInt(line), parent: Number(fields[2]), ticks: fields.slice(12, 16) };
  }).sort((a, b) => a.id - b.id); // parents come first
  for (const { id, parent, ticks } of processes) {
    if (id !== pid && !family.has(parent)) continue;
    family.add(id);
    cpu += ticks.reduce((sum, value) => sum + Number(value), 0) / TICKS;
  }
  const files = [...family].map((id) => `/proc/${id}/status`).join(" ");
  const peaks = (await readAll(files)).matchAll(/VmHWM:\s*(\d+) kB/g);
  return { cpu, memory: Math.max(...[...peaks].map(([, size]) => Number(size) * 1024)) };
}
