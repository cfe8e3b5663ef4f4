import { ConfigurationError } from "../../api/errors.ts";
import { isPassing } from "../../storage/failures/is_passing.ts";
import { retry, type RetryPolicy } from "../../storage/failures/retry.ts";
import type { Engine, StoredRow, StoredValue } from "../../storage/store/engine.ts";
import type { Pool, PoolClient, QueryConfig, QueryResult } from "./pg.ts";
import { parsePostgresAddress } from "./postgres_address.ts";

/** SQLSTATE of a transaction that lost against another one: serialization failure, deadlock. */
const LOST_CODES = new Set(["40001", "40P01"]);

/** Whether a transaction failed because another one was first: from its beginning it may succeed. */
function hasLost(error: unknown): boolean {
  return error instanceof Error && "code" in error && LOST_CODES.has(String(error.code));
}

/**
 * Runs a statement on a connection.
 *
 * @param address Address of the database without its password
 * @throws {Error} If it fails, with the address where another try may help
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

/** Numbers of the locks: for imports, for naming files, for what depends on the points that are served, for updates. */
const LOCKS = { import: 0x696d706f, files: 0x6e616d65, points: 0x706f696e };
const UPDATE_LOCK = 0x75706461;

/** What PostgreSQL does alike within a transaction and outside. */
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

  async lock(what: keyof typeof LOCKS, shared: boolean = false): Promise<void> {
    const name = shared ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock";
    await this.run(`SELECT ${name}($1)`, LOCKS[what]);
    if (what !== "import") return;
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
    // PostgreSQL compares its pages itself when it reads them.
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
    throw new Error("Cannot lock updates: a transaction ends before an update does");
  }

  override async close(): Promise<void> {
    // Whoever has opened the database closes it.
  }

  /**
   * Ends it.
   *
   * @throws What one of its statements or parts failed with, even if the body went on
   */
  async commit(): Promise<void> {
    if (this.#failure) throw this.#failure.error;
    await runStatement(this.#client, this.address, "COMMIT");
  }

  override query(sql: string, values: readonly StoredValue[]) {
    const statement = { text: sql, values: [...values] };
    // A connection runs one after the other, also of a body that begins several at once; none after one that has failed, as
    // it would come after the ROLLBACK.
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

/** Connections of a process at most. */
const MAX_CONNECTIONS = 10;

/** How long to wait for a connection, ms. */
const CONNECT_TIMEOUT = 10_000;

/** How long a statement may take, with its waits for locks of others, ms. */
const STATEMENT_TIMEOUT = 120_000;

/** How long to wait for the answer of a server that may be gone without a word, ms. */
const ANSWER_TIMEOUT = STATEMENT_TIMEOUT + 10_000;

/** The same for a statement outside of a transaction: others may wait for what it finds, ms. */
const SINGLE_TIMEOUT = 30_000;

/** How long an import may pause: whoever stores a site looks for its files before the end, maybe 100,000 of them. */
const IMPORT_IDLE_TIMEOUT = "10min";

/** How long a transaction may pause: others wait for its locks, ms. */
const IDLE_TIMEOUT = 60_000;

/** Pause after which an idle connection is probed, ms. */
const KEEP_ALIVE = 10_000;

/** How PostgreSQL finds out that the machine of a connection is gone, s: two hours unless it is told. */
const PROBES = [
  "tcp_keepalives_idle = 30",
  "tcp_keepalives_interval = 10",
  "tcp_keepalives_count = 3",
];

/** How a transaction is run again that loses against others. */
const LOST: RetryPolicy = { isWorth: hasLost, pause: [40, 320], tries: 8 };

/** Type of JSON: read as the text that it is. */
const JSON_TYPE = 114;

/** Types of 64-bit and decimal numbers, by their numbers in PostgreSQL: `count` and `sum` have them. */
const WIDE_NUMBERS = new Set([20, 1700]);

/** A PostgreSQL database: a pool of connections, each made when it is needed. */
export class PostgresDatabase extends PostgresQueries {
  readonly #pool: Pool;
  /** Names of the statements outside of transactions: a connection has each planned once. */
  readonly #names = new Map<string, string>();
  /** Ends of the connections that are there: the pool does not wait for them. */
  readonly #ends = new Map<PoolClient, Promise<void>>();

  private constructor(address: string, pool: Pool) {
    super(address);
    this.#pool = pool;
    // Without a listener, a connection that ends by itself would end the process; its next use says what is the matter.
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
   * Opens a database; nothing is asked of it yet.
   *
   * @param address Its address: {@linkcode parsePostgresAddress}
   * @throws {ConfigurationError} If that is wrong
   */
  static async open(address: string): Promise<PostgresDatabase> {
    const { shown, settings } = parsePostgresAddress(address);
    const { default: { Pool, types } } = await import("./pg.ts");
    return new PostgresDatabase(
      shown,
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

  /** A connection of its own has the lock. PostgreSQL ends it with that, within a minute even if the machine is gone. */
  override async lockUpdates(): Promise<AsyncDisposable | undefined> {
    const client = await this.#connect();
    const run = (sql: string) => runStatement(client, this.address, sql);
    const end = async () => {
      await run(`SELECT pg_advisory_unlock_all()`).catch(() => {}); // it is lost, and the lock with it
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

  /** Ends all connections, once what runs on them has ended. */
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

  /** Lends a connection; after a failure that is not PostgreSQL's refusal of a statement it is not used again. */
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
      // A connection that is lost is rolled back by the server.
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
          `Cannot reach ${this.address}: ${describe(cause)}. Check whether it runs, and try again`,
          { cause },
        );
      }
      throw new ConfigurationError(
        `Cannot connect to ${this.address}: ${describe(cause)}. ` +
          "Check its address, the user, the password and the certificates",
        { cause },
      );
    }
  }
}

/** The message of a failure; several of one host's addresses have none. */
function describe(error: Error): string {
  return error instanceof AggregateError
    ? error.errors.map(({ message }) => message).join(", ")
    : error.message;
}

/** @throws {RangeError} If a number has a fraction, or more digits than a number keeps */
function readWholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new RangeError(`Cannot read the number ${text} of a database: it is not a safe integer`);
}
