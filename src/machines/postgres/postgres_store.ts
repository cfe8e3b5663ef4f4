import { sha256 } from "../../disk/hashes.ts";
import {
  ATTEMPT_PERIOD,
  type Attempts,
  type CountedAttempt,
} from "../../storage/store/attempts.ts";
import { Documents } from "../../storage/store/documents.ts";
import type { Engine } from "../../storage/store/engine.ts";
import { Store } from "../../storage/store/store.ts";
import { PostgresDatabase } from "./postgres_database.ts";
import { checkPostgresSchema } from "./postgres_schema.ts";

/** Most stored names, some 25 MB; beyond it the names longest without an attempt are removed. */
const CAPACITY = 100_000;

/** Attempts of one server between two counts of the names, as a share of the capacity. */
const LOOK_SHARE = 0.1;

interface PostgresAttemptsOptions {
  /** Most stored names; each server may add a tenth. @default {100_000} */
  capacity?: number;
  /** A clock, ms; `null` for the database's. @default {() => null} */
  now?: () => number | null;
}

/** The clock of the database, which all servers share, ms. */
const NOW = "coalesce($2, floor(extract(epoch FROM clock_timestamp()) * 1000))::bigint";

/** The attempt that must expire before another one counts, counted from the end. */
const FIRST = "known.instants[cardinality(known.instants) + 1 - $3::integer]";

/** Locks the row until it is written, so concurrent attempts count exactly. Returns no row for a name with too many. */
const COUNT = `
  INSERT INTO vindkit.attempts AS known (who, instants) VALUES ($1, ARRAY[${NOW}])
  ON CONFLICT (who) DO UPDATE SET instants =
    (known.instants || excluded.instants)[cardinality(known.instants) + 2 - $3::integer:]
  WHERE (${FIRST} > excluded.instants[1] - ${ATTEMPT_PERIOD}) IS NOT TRUE
  RETURNING instants[cardinality(instants)] AS instant`;

const PAUSE = `
  SELECT ${FIRST} + ${ATTEMPT_PERIOD} - ${NOW} AS pause FROM vindkit.attempts AS known
  WHERE who = $1`;

const TAKE_BACK = `
  UPDATE vindkit.attempts SET instants = instants[:array_position(instants, $2::bigint) - 1]
    || instants[array_position(instants, $2::bigint) + 1:]
  WHERE who = $1 AND $2 = ANY(instants)`;

/**
 * Removes expired names, and the oldest beyond the capacity. Skips rows that others have locked, so it never waits.
 */
const FORGET = `
  DELETE FROM vindkit.attempts WHERE who IN (
    SELECT who FROM vindkit.attempts WHERE NOT greatest($1::bigint, (
      SELECT instants[cardinality(instants)] FROM vindkit.attempts
      ORDER BY 1 DESC NULLS LAST OFFSET $2 LIMIT 1
    )) < ANY(instants) FOR UPDATE SKIP LOCKED
  )`;

/**
 * Attempts at all servers of a PostgreSQL store. Names are stored as hashes, so no address of a client and no serial
 * number is in the database; the rows of a minute are removed in the next one.
 */
export class PostgresAttempts implements Attempts {
  readonly #database: Engine;
  readonly #capacity: number;
  readonly #now: () => number | null;
  /** When this server last removed rows, by the clock of the database, and its attempts since. */
  #forgotten = { instant: 0, attempts: 0 };

  constructor(
    database: Engine,
    { capacity = CAPACITY, now = () => null }: PostgresAttemptsOptions = {},
  ) {
    this.#database = database;
    this.#capacity = capacity;
    this.#now = now;
  }

  async count(name: string, limit: number): Promise<CountedAttempt> {
    const nameHash = sha256(name);
    const counted = (await this.#database.all(COUNT, nameHash, this.#now(), limit))[0];
    if (!counted) {
      const paused = (await this.#database.all(PAUSE, nameHash, this.#now(), limit))[0];
      // the pause may have ended since
      return { pause: Math.max(1, Number(paused?.pause ?? 1)), takeBack: () => Promise.resolve() };
    }
    const instant = Number(counted.instant);
    await this.#forgetBefore(instant - ATTEMPT_PERIOD);
    return {
      pause: 0,
      takeBack: async () => void await this.#database.run(TAKE_BACK, nameHash, instant),
    };
  }

  /** Removes expired and surplus names, once in each period and after many attempts. */
  async #forgetBefore(instant: number): Promise<void> {
    const { instant: last, attempts } = this.#forgotten;
    if (instant < last && attempts + 1 < LOOK_SHARE * this.#capacity) {
      this.#forgotten.attempts++;
      return;
    }
    this.#forgotten = { instant: instant + ATTEMPT_PERIOD, attempts: 0 };
    await this.#database.run(FORGET, instant, this.#capacity);
  }
}

/**
 * Opens the shared store in PostgreSQL, whose tables must exist ({@linkcode migratePostgres}).
 *
 * @throws {ConfigurationError} If it refuses the connection, or has another schema
 * @throws {Error} If it cannot be reached
 */
export async function openPostgresStore(address: string): Promise<Store> {
  const database = await PostgresDatabase.open(address);
  try {
    await checkPostgresSchema(database);
  } catch (error) {
    await database.close();
    throw error;
  }
  return new Store(new Documents(database), new PostgresAttempts(database));
}
