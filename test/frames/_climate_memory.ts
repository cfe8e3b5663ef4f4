/**
 * Reads a climate file, and prints rows, columns and the largest growth of this process's memory in bytes. Runs as a
 * separate process with all permissions, because /proc needs them.
 *
 * @module
 */
import { readClimateFile } from "../../src/frames/climate_file.ts";

function memory(key: "VmRSS" | "VmHWM"): number {
  const status = Deno.readTextFileSync("/proc/self/status");
  return Number(new RegExp(`${key}:\\s+(\\d+)`).exec(status)![1]) * 1024;
}

await readClimateFile(new TextEncoder().encode("time,temp\n2020-01-01,1\n"), "small"); // loads Polars
const before = memory("VmRSS");
const { frame } = await readClimateFile(Deno.args[0], Deno.args[0]);
console.log(JSON.stringify([frame.height, frame.width, memory("VmHWM") - before]));
