import { ConfigurationError } from "../../api/errors.ts";
import { isPassing } from "../../storage/failures/is_passing.ts";
import { retry, type RetryPolicy } from "../../storage/failures/retry.ts";
import type { Engine, StoredRow, StoredValue } from "../../storage/store/engine.ts";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "./pg.ts";
import { parsePostgresAddress } from "./postgres_address.ts";

/** SQLSTATE of transactions that may succeed when retried: serialization failure, deadlock. */
const LOST_CODES = new Set(["40001", "40P01"]);

/** Whether a transaction failed because of a concurrent one, so a retry from its beginning may succeed. */
function hasLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && LOST_CODES.has(String(error.code));
}

/**
 * Runs a statement on a connection.
 *
 * @param address Address of the database without its password
 * @throws {Error} If it fails; with the address if a retry may help
 */
async function runStatement(
  client: PoolClient,
  address: string,
  statement: string | QueryConfig,
): Promise<QueryResult<StoredRow>> {
  try {
    return await client.query<StoredRow>(statement);
  } catch (cause) {
    if (!(cause instanceof Error) || !isPassing(cause) || hasLost(cause)) throw cause;
    throw new Error(`Cannot use ${address}: ${cause.message}. Try again`, { cause });
  }
}

/** Numbers of the locks: for imports, for naming files, for data that depend on the served points, for updates. */
const LOCKS = { import: 0x696d706f, files: 0x6e616d65, points: 0x706f696e };
const UPDATE_LOCK = 0x75706461;

/** Operations that are the same inside and outside of a transaction. */
abstract class PostgresQueries implements Engine {
  readonly address: string;
  readonly schema = "vindkit.";
  readonly remedy = "Stop the service, and restore the last backup of the database";

  constructor(address: string) {
    this.address = address;
  }

  abstract query(sql: string, values: readonly StoredValue[]): Promise<QueryResult<StoredRow>>;

  async all(sql: string, ...values: readonly StoredValue[]): Promise<StoredRow[]> {
    return (await this.query(sql, values)).rows;
  }

  async run(sql: string, ...values: readonly StoredValue[]): Promise<number> {
    return (await this.query(sql, values)).rowCount ?? 0;
  }

  abstract transaction<T>(body: (engine: Engine) => Promise<T>, reads?: boolean): Promise<T>;

  async lock(purpose: keyof typeof LOCKS, shared: boolean = false): Promise<void> {
    const name = shared ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
    await this.run(`SELECT ${name}($1)`, LOCKS[purpose]);
    if (purpose !== "import") return;
    await this.run(`SET LOCAL idle_in_transaction_session_timeout = '${IMPORT_IDLE_TIMEOUT}'`);
  }

  abstract lockUpdates(): Promise<AsyncDisposable | undefined>;

  async now(): Promise<number> {
    const sql = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";
    return Number((await this.all(sql))[0].now);
  }

  stamp(): unknown {
    return undefined;
  }

  async check(): Promise<void> {
    await this.run("SELECT 1 FROM vindkit.lists");
  }

  async verify(): Promise<void> {
    // PostgreSQL checks its pages itself when it reads them.
  }

  abstract close(): Promise<void>;
}

/** The statements of one connection, one after the other. */
class PostgresTransaction extends PostgresQueries {
  readonly #client: PoolClient;
  #previous: Promise<unknown> = Promise.resolve();
  #failure: { readonly error: unknown } | undefined;

  /**
   * @param address Address of the database without its password
   * @param client A connection on which a transaction has begun
   */
  constructor(address: string, client: PoolClient) {
    super(address);
    this.#client = client;
  }

  override transaction<T>(body: (engine: Engine) => Promise<T>): Promise<T> {
    return this.#note(() => body(this));
  }

  override lockUpdates(): never {
    throw new Error("Cannot lock updates: the lock must outlast the transaction");
  }

  override async close(): Promise<void> {
    // the code that opened the database closes it
  }

  /**
   * @throws The error of a failed statement or part, even if the body continued
   */
  async commit(): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    await runStatement(this.#client, this.address, "COMMIT");
  }

  override query(sql: string, values: readonly StoredValue[]) {
    const statement = { text: sql, values: [...values] };
    // A connection runs one statement at a time, even if a body begins several at once. After a failure it runs none: they
    // would come after the ROLLBACK.
    const result = this.#previous.then(() => {
      if (this.#failure) throw this.#failure.error;
      return this.#note(() => runStatement(this.#client, this.address, statement));
    });
    this.#previous = result.catch(() => {});
    return result;
  }

  async #note<T>(step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}

/** Most connections of a process. */
const MAX_CONNECTIONS = 10;

/** How long to wait for a connection, ms. */
const CONNECT_TIMEOUT = 10_000;

/** How long a statement may take, including waits for locks, ms. */
const STATEMENT_TIMEOUT = 120_000;

/** How long to wait for the answer of a server that may have vanished, ms. */
const ANSWER_TIMEOUT = STATEMENT_TIMEOUT + 10_000;

/** The same for a statement outside of a transaction, ms: shorter, because other work may wait for its result. */
const SINGLE_TIMEOUT = 30_000;

/** How long the transaction of an import may pause: before its end it looks for the site's files, maybe 100,000. */
const IMPORT_IDLE_TIMEOUT = "10min";

/** How long a transaction may pause, ms: others wait for its locks. */
const IDLE_TIMEOUT = 60_000;

/** Pause after which an idle connection is probed, ms. */
const KEEP_ALIVE = 10_000;

/** How soon PostgreSQL notices that the machine of a connection is gone, s; its default is two hours. */
const PROBES = [
  "tcp_keepalives_idle = 30",
  "tcp_keepalives_interval = 10",
  "tcp_keepalives_count = 3",
];

/** Retries of a transaction that conflicts with others. */
const LOST: RetryPolicy = { isWorth: hasLost, pause: [40, 320], tries: 8 };

/** Type of JSON, which is read as text. */
const JSON_TYPE = 114;

/** OIDs of 64-bit and decimal numbers, the types of `count` and `sum`. */
const WIDE_NUMBERS = new Set([20, 1700]);

/** A PostgreSQL database: a pool of connections, each opened when needed. */
export class PostgresDatabase extends PostgresQueries {
  readonly #pool: Pool;
  /** Names of the statements outside of transactions: a connection plans each only once. */
  readonly #names = new Map<string, string>();
  /** Closing of the open connections, which the pool does not wait for. */
  readonly #ends = new Map<PoolClient, Promise<void>>();

  private constructor(address: string, pool: Pool) {
    super(address);
    this.#pool = pool;
    // Without a listener, a lost connection would end the process. Its next use reports the problem.
    const ignore = () => {};
    pool.on("error", ignore);
    pool.on("connect", (client) => {
      client.on("error", ignore);
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#ends.set(client, promise);
      client.on("end", () => {
        this.#ends.delete(client);
        resolve();
      });
    });
  }

  /**
   * Opens a database, without a request to it yet.
   *
   * @param address Its address: {@linkcode parsePostgresAddress}
   * @throws {ConfigurationError} If that is wrong
   */
  static async open(address: string): Promise<PostgresDatabase> {
    const { safeAddress, settings } = parsePostgresAddress(address);
    const { default: { Pool, types } } = await import("./pg.ts");
    return new PostgresDatabase(
      safeAddress,
      new Pool({
        ...settings,
        application_name: "vindkit",
        max: MAX_CONNECTIONS,
        connectionTimeoutMillis: CONNECT_TIMEOUT,
        statement_timeout: STATEMENT_TIMEOUT,
        query_timeout: ANSWER_TIMEOUT,
        idle_in_transaction_session_timeout: IDLE_TIMEOUT,
        keepAlive: true,
        keepAliveInitialDelayMillis: KEEP_ALIVE,
        types: {
          getTypeParser(type: number) {
            if (WIDE_NUMBERS.has(type)) return readWholeNumber;
            return type === JSON_TYPE ? String : types.getTypeParser(type);
          },
        },
      }),
    );
  }

  override async transaction<T>(
    body: (engine: Engine) => Promise<T>,
    reads: boolean = false,
  ): Promise<T> {
    const mode = reads ? "ISOLATION LEVEL REPEATABLE READ READ ONLY" : "";
    return await retry(
      () => this.#use((client) => this.#runTransaction(client, body, mode)),
      LOST,
    );
  }

  /** A separate connection holds the lock. PostgreSQL releases the lock with it, within a minute even if the machine is gone. */
  override async lockUpdates(): Promise<AsyncDisposable | undefined> {
    const client = await this.#connect();
    const run = (sql: string) => runStatement(client, this.address, sql);
    const end = async () => {
      await run(`SELECT pg_advisory_unlock_all()`).catch(() => {}); // the connection is lost, and the lock with it
      client.release(true);
    };
    try {
      for (const setting of PROBES) await run(`SET ${setting}`);
      const { rows: [{ locked }] } = await run(
        `SELECT pg_try_advisory_lock(${UPDATE_LOCK}) AS locked`,
      );
      if (locked) return { [Symbol.asyncDispose]: end };
    } catch (error) {
      await end();
      throw error;
    }
    await end();
  }

  /** Closes all connections after their statements have ended. */
  override async close(): Promise<void> {
    await this.#pool.end();
    await Promise.all(this.#ends.values());
  }

  override query(sql: string, values: readonly StoredValue[]) {
    let name = this.#names.get(sql);
    if (name === undefined) this.#names.set(sql, name = `vindkit_${this.#names.size}`);
    const query = { name, text: sql, values: [...values], query_timeout: SINGLE_TIMEOUT };
    return this.#use((client) => runStatement(client, this.address, query));
  }

  /** Lends a connection, and drops it after any failure other than a statement that PostgreSQL refused. */
  async #use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(isPassing(error) && !hasLost(error));
      throw error;
    }
  }

  async #runTransaction<T>(
    client: PoolClient,
    body: (engine: Engine) => Promise<T>,
    mode: string,
  ): Promise<T> {
    await runStatement(client, this.address, `BEGIN ${mode}`);
    const transaction = new PostgresTransaction(this.address, client);
    try {
      const result = await body(transaction);
      await transaction.commit();
      return result;
    } catch (error) {
      // the server rolls back a lost connection
      if (!isPassing(error) || hasLost(error)) {
        await runStatement(client, this.address, "ROLLBACK");
      }
      throw error;
    }
  }

  async #connect(): Promise<PoolClient> {
    if (this.#pool.ending) throw new Error(`The database ${this.address} is closed`);
    try {
      return await this.#pool.connect();
    } catch (error) {
      const cause = error as Error;
      if (isPassing(cause)) {
        throw new Error(
          `Cannot reach ${this.address}: ${
            describe(cause)
          }. Check that PostgreSQL runs at this address, then try again`,
          { cause },
        );
      }
      throw new ConfigurationError(
        `Cannot connect to ${this.address}: ${describe(cause)}. ` +
          "Check the address, the user, the password and the certificates",
        { cause },
      );
    }
  }
}

/** The message of a failure; a joint failure of a host's addresses has no message itself. */
function describe(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map(({ message }) => message).join(", ")
    : error.message;
}

/** @throws {RangeError} If a number has a fraction, or more digits than a number keeps */
function readWholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`Cannot read the number ${text} in the database: it is not a safe integer`);
}
