/**
 * A server for tests whose data can be locked.
 *
 * @module
 */
import { lockData } from "../../../src/client/connection/default_connection.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { CANARY, type LocalServer, withServer } from "../_local_server.ts";
import { buildHandler, buildSeries, type World } from "./_world.ts";

/** Content of a lock. */
export interface LockFile {
  vindkit_lock: number;
  service: string;
  bodies: {
    operation: string;
    parameters: unknown;
    sha256: string;
    fetched_at: string;
    no_data?: string;
  }[];
}

/** Reads the file of a lock. */
export const readLock = async (path: string): Promise<LockFile> => {
  return JSON.parse(await Deno.readTextFile(path));
};

const buildWorld = (): World => ({
  hours: { T1: buildSeries("Europe/Copenhagen", "2023-01-01", "2023-07-01") },
  indices: { T1: { "2024-01": 101, "2024-02": 102 } },
  details: ["T1"],
});

/** A server and its lock. */
export interface LockedServer extends LocalServer {
  /** Data that it serves. */
  readonly world: World;
  /** Path of the lock. */
  readonly path: string;
  /** Opens the lock again, as another process would. */
  open(home?: string): Promise<Connection>;
}

/** Runs a test with a service whose data can be locked. */
export async function withWorld(body: (locked: LockedServer) => Promise<void>): Promise<void> {
  const world = buildWorld();
  await withServer(buildHandler(world), async (server) => {
    const path = `${server.home}/analysis.lock.json`;
    const open = (home = server.home) =>
      lockData(path, { connection: connect({ url: server.url, key: CANARY, home }) });
    await body({ ...server, world, path, open });
  });
}
