import { DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../api/errors.ts";
import type { SentParameters } from "../../api/operations/request_path.ts";
import { preparePrivateFile } from "../../disk/private_path.ts";
import { sha256 } from "../../disk/hashes.ts";
import { buildCallKey } from "../connection/data_lock.ts";

/**
 * State of an order: `sent` without an answer (it may be in the queue or not), `placed` with an id,
 * `delivered`, `refused` by the service, `failed` there, `repeated` by a later one, `forgotten` on request.
 */
export type LedgerState =
  | "sent"
  | "placed"
  | "delivered"
  | "refused"
  | "failed"
  | "repeated"
  | "forgotten";

/** An order in the ledger. */
export interface LedgerEntry {
  /** Number in the ledger. */
  readonly entry: number;
  /** Its target: a base address, the sample, a data directory. */
  readonly place: string;
  /** Parameters that were sent, by wire name. */
  readonly parameters: SentParameters;
  /** Identifier that the service gave; `null` if no answer is known. */
  readonly orderId: string | null;
  /** Its state. */
  readonly state: LedgerState;
  /** Last status that the service reported. */
  readonly status: string | null;
  /** When it was sent, ISO 8601 UTC. */
  readonly sentAt: string;
  /** When its state or status last changed, ISO 8601 UTC. */
  readonly changedAt: string;
}

/** Condition for orders that a call with the same parameters joins. */
const OPEN = "state IN ('sent', 'placed')";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS orders (
  entry INTEGER PRIMARY KEY,
  place TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  parameters TEXT NOT NULL,
  order_id TEXT,
  state TEXT NOT NULL,
  status TEXT,
  sent_at TEXT NOT NULL,
  changed_at TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX IF NOT EXISTS one_open ON orders (fingerprint) WHERE ${OPEN};
`;

const LEDGER = {
  file: "orders.db",
  schema: SCHEMA,
  what: "the ledger of orders",
  hint: "No order was sent, because each order needs an entry in the ledger. Fix " +
    "that problem, or set VINDKIT_HOME to another folder",
};

/** Longest wait for another process that writes, ms. */
const BUSY_TIMEOUT = 10_000;

/** A database that only its owner may read. */
export interface PrivateDatabase {
  readonly folder: string;
  /** Name of its file. */
  readonly file: string;
  /** Statements that create missing tables. */
  readonly schema: string;
  /** Its content, for messages. */
  readonly what: string;
  /** Remedy if it cannot be used. */
  readonly hint: string;
}

/**
 * Opens a database, uses and closes it; an error rolls back uncommitted changes.
 *
 * @throws {ConfigurationError} If it cannot be used
 */
export function useDatabase<T>(
  { folder, file, schema, what, hint }: PrivateDatabase,
  act: (database: DatabaseSync) => T,
): T {
  const path = `${folder}/${file}`;
  let database: DatabaseSync | undefined;
  try {
    const problem = preparePrivateFile(folder, file);
    if (problem !== null) throw new Error(problem);
    database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT });
    database.exec("PRAGMA synchronous = FULL");
    database.exec(schema);
    return act(database);
  } catch (cause) {
    const message = `Cannot use ${what} in ${path}: ${(cause as Error).message}`;
    throw new ConfigurationError(message, { cause, hint });
  } finally {
    database?.close();
  }
}

function stampNow(): string {
  return Temporal.Now.instant().toString();
}

/** The orders of a home folder, on the disk before they are sent. */
export class Ledger {
  readonly #home: string;

  /** @param home Home folder */
  constructor(home: string) {
    this.#home = home;
  }

  /**
   * Records an order before it is sent, or finds the open one with the same parameters. Two processes never send
   * the same one.
   *
   * @param place Where it goes
   * @param repeat Whether an open one is replaced by this one
   */
  begin(
    place: string,
    parameters: SentParameters,
    repeat: boolean,
  ): { readonly entry: LedgerEntry; readonly joined: boolean } {
    const fingerprint = buildFingerprint(place, parameters);
    return this.#with((database) => {
      database.exec("BEGIN IMMEDIATE");
      const open = selectOpen(database, fingerprint);
      if (open && !repeat) return { entry: readEntry(open), joined: true };
      const at = stampNow();
      if (open) {
        database.prepare(
          "UPDATE orders SET state = 'repeated', changed_at = ? WHERE entry = ?",
        ).run(at, open.entry);
      }
      const row = database.prepare(
        "INSERT INTO orders (place, fingerprint, parameters, state, sent_at, changed_at) " +
          "VALUES (?, ?, ?, 'sent', ?, ?) RETURNING *",
      ).get(place, fingerprint, JSON.stringify(parameters), at, at)!;
      database.exec("COMMIT");
      return { entry: readEntry(row), joined: false };
    });
  }

  /** Finds the open order with these parameters. */
  findOpen(place: string, parameters: SentParameters): LedgerEntry | undefined {
    return this.#with((database) => {
      const row = selectOpen(database, buildFingerprint(place, parameters));
      return row && readEntry(row);
    });
  }

  /**
   * Notes a change of an order. A repeated or forgotten order keeps that state, whatever the answer says; a delivered one
   * keeps its status.
   */
  note(
    entry: number,
    change: Partial<Pick<LedgerEntry, "state" | "orderId" | "status">>,
  ): void {
    const { state = null, orderId = null, status = null } = change;
    this.#with((database) =>
      database.prepare(
        `UPDATE orders SET
           state = CASE WHEN state IN ('repeated', 'forgotten') THEN state ELSE coalesce(?, state) END,
           order_id = coalesce(?, order_id),
           status = CASE WHEN state = 'delivered' THEN status ELSE coalesce(?, status) END,
           changed_at = ?
         WHERE entry = ?`,
      ).run(state, orderId, status, stampNow(), entry)
    );
  }

  /** Marks an uncertain order as forgotten, if no answer has come meanwhile. */
  forget(entry: number): void {
    this.#with((database) =>
      database.prepare(
        "UPDATE orders SET state = 'forgotten', changed_at = ? WHERE entry = ? AND state = 'sent'",
      ).run(stampNow(), entry)
    );
  }

  /** Finds the latest order with an identifier. */
  find(place: string, orderId: string): LedgerEntry | undefined {
    return this.#with((database) => {
      const row = database.prepare(
        "SELECT * FROM orders WHERE place = ? AND order_id = ? ORDER BY entry DESC LIMIT 1",
      ).get(place, orderId);
      return row && readEntry(row);
    });
  }

  /** Lists all orders, oldest first. */
  listEntries(): LedgerEntry[] {
    return this.#with((database) =>
      database.prepare("SELECT * FROM orders ORDER BY entry").all().map(readEntry)
    );
  }

  #with<T>(act: (database: DatabaseSync) => T): T {
    return useDatabase({ ...LEDGER, folder: this.#home }, act);
  }
}

function buildFingerprint(place: string, parameters: SentParameters): string {
  return sha256(buildCallKey(place, "place_order", parameters));
}

function selectOpen(database: DatabaseSync, fingerprint: string) {
  return database.prepare(`SELECT * FROM orders WHERE fingerprint = ? AND ${OPEN}`)
    .get(fingerprint);
}

function readEntry(row: Record<string, unknown>): LedgerEntry {
  return {
    entry: row.entry as number,
    place: row.place as string,
    parameters: JSON.parse(row.parameters as string) as SentParameters,
    orderId: row.order_id as string | null,
    state: row.state as LedgerState,
    status: row.status as string | null,
    sentAt: row.sent_at as string,
    changedAt: row.changed_at as string,
  };
}
