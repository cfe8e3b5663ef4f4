import { connect, type Connection } from "./connection.ts";

/** Options that every function which asks a service has. */
export interface CallOptions {
  /** Connection to use. @default the one that environment and config file describe, else the sample */
  connection?: Connection;
  /** Ends the call early. */
  signal?: AbortSignal;
}

let shared: Connection | undefined; // the only state of the module: free functions have to share a service

/** The connection of a call: the one given, else the default one, made at its first use. */
export function connectionOf(options: CallOptions): Connection {
  return options.connection ?? (shared ??= connect());
}

/**
 * Closes the default connection, so that the next call reads environment and config file again.
 */
export async function closeDefaultConnection(): Promise<void> {
  const old = shared;
  shared = undefined;
  await old?.close();
}
