import { delay } from "@std/async";
import type { SeededRandom } from "../../src/stats/seeded_random.ts";
import type { Fault } from "../machines/s3/_faulty_s3.ts";
import type { MachinesWorld } from "./_machines_world.ts";

/** Longest time that a machine is away, ms; its start comes on top. */
const MAX_AWAY = 1000;

/** How long the object store is faulty, ms. */
const FAULTY = 3000;

/** How long a worker sleeps, ms: longer than its heartbeat timeout. */
const STOPPED = 15_000;

const METHODS = ["GET", "HEAD", "PUT"] as const;

/** The fault of a round; resolves when it is over. */
type Misfortune = (world: MachinesWorld, random: SeededRandom) => Promise<void>;

async function withFaults({ network }: MachinesWorld, faults: readonly Fault[]): Promise<void> {
  network.faults.push(...faults);
  await delay(FAULTY);
  network.faults.length = 0;
}

/** The faults, one per round in turn. */
export const misfortunes: Readonly<Record<string, Misfortune>> = {
  "a worker is killed": async (world, random) => {
    const i = random.below(world.workers.length);
    await world.workers[i].end("KILL");
    await delay(random.below(MAX_AWAY));
    await world.startWorker(i);
  },
  "a server is killed": async (world, random) => {
    const i = random.below(world.servers.length);
    await world.servers[i].end("KILL");
    await delay(random.below(MAX_AWAY));
    await world.startServer(i);
  },
  "PostgreSQL is stopped at once": async ({ postgres }, random) => {
    await postgres.crash();
    await delay(random.below(MAX_AWAY));
    await postgres.start();
  },
  "the object store answers 503": (world) =>
    withFaults(world, METHODS.map((on) => ({ on, what: "busy", always: true }))),
  "the object store is slow": (world) =>
    withFaults(world, [
      ...METHODS.map((on) => ({ on, what: "stall" }) as const),
      { on: "GET", what: "drip", always: true },
    ]),
  "a worker is stopped and woken": async ({ workers }, random) => {
    const worker = workers[random.below(workers.length)];
    await worker.signal("STOP");
    await delay(STOPPED);
    await worker.signal("CONT");
  },
};
