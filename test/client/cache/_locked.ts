/**
 * A service of a test, and a data lock of what it serves.
 *
 * @module
 */
import { lockData } from "../../../src/client/cache/lock_data.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { CANARY, type LocalServer, withServer } from "../_local_server.ts";
import { handlerOf, hourly, type World } from "./_world.ts";

/** What stands in a lock. */
export interface LockFile {
  vindkit_lock: number;
  service: string;
  bodies: { operation: string; parameters: unknown; sha256: string; fetched_at: string }[];
}

/** Reads a lock. */
export const readLock = async (path: string): Promise<LockFile> => {
  return JSON.parse(await Deno.readTextFile(path));
};

const newWorld = (): World => ({
  hours: { T1: hourly("Europe/Copenhagen", "2023-01-01", "2023-07-01") },
  indices: { T1: { "2024-01": 101, "2024-02": 102 } },
  details: ["T1"],
});

/** A service, and where its lock is. */
export interface Locked extends LocalServer {
  /** What it serves. */
  readonly world: World;
  /** Path of the lock. */
  readonly path: string;
  /** The lock again, as another process would open it. */
  open(home?: string): Promise<Connection>;
}

/** Runs a test with a service whose data can be locked. */
export async function withWorld(body: (locked: Locked) => Promise<void>): Promise<void> {
  const world = newWorld();
  await withServer(handlerOf(world), async (server) => {
    const path = `${server.home}/analysis.lock.json`;
    const open = (home = server.home) =>
      lockData(path, { connection: connect({ url: server.url, key: CANARY, home }) });
    await body({ ...server, world, path, open });
  });
}
