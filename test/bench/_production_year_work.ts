/**
 * Reads a year of production in a separate process, and prints its peak memory, MB.
 *
 * @module
 */
import { readProduction } from "../../src/frames/presets/read_production.ts";

await readProduction(Deno.args[0], "greenbyte");
console.log(Number(/VmHWM:\s+(\d+)/.exec(Deno.readTextFileSync("/proc/self/status"))![1]) / 1024);
