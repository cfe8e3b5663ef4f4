import { sha256 } from "../../../disk/sha256.ts";
import { ATTEMPT_PERIOD, type Attempts, type CountedAttempt } from "../../limits/attempts.ts";
import type { PostgresQueries } from "./postgres_queries.ts";

/** The clock of the database, which all servers share, ms. */
const NOW = "coalesce($2, floor(extract(epoch FROM clock_timestamp()) * 1000))::bigint";

/** The attempt that must be over before another one counts: that many from the end. */
const FIRST = "known.instants[cardinality(known.instants) + 1 - $3::integer]";

/** The row stays locked until it is written, so that attempts at once count exactly; one with too many is not returned. */
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

/** Leaves out what others have locked, so that it waits for nobody. */
const FORGET = `
  DELETE FROM vindkit.attempts WHERE who IN (
    SELECT who FROM vindkit.attempts WHERE NOT $1 < ANY(instants) FOR UPDATE SKIP LOCKED
  )`;

/**
 * Attempts at all servers of a PostgreSQL store. Names are stored as hashes, so that no address of a client and no serial
 * number is in the database; the rows of a minute are removed in the next one.
 */
export class PostgresAttempts implements Attempts {
  readonly #database: PostgresQueries;
  readonly #now: () => number | null;
  /** When this server has removed old rows, by the clock of the database. */
  #forgotten = 0;

  /**
   * @param database Their database
   * @param now A clock, ms; `null` for that of the database
   */
  constructor(database: PostgresQueries, now: () => number | null = () => null) {
    this.#database = database;
    this.#now = now;
  }

  async count(name: string, limit: number): Promise<CountedAttempt> {
    const who = sha256(name);
    const counted = await this.#database.get(COUNT, who, this.#now(), limit);
    if (!counted) {
      const found = await this.#database.get(PAUSE, who, this.#now(), limit);
      // It may have ended since.
      return { pause: Math.max(1, Number(found?.pause ?? 1)), takeBack: () => Promise.resolve() };
    }
    const instant = Number(counted.instant);
    await this.#forgetBefore(instant - ATTEMPT_PERIOD);
    return {
      pause: 0,
      takeBack: async () => void await this.#database.run(TAKE_BACK, who, instant),
    };
  }

  /** Removes names whose attempts have all expired, once in each period. */
  async #forgetBefore(instant: number): Promise<void> {
    if (instant < this.#forgotten) return;
    this.#forgotten = instant + ATTEMPT_PERIOD;
    await this.#database.run(FORGET, instant);
  }
}
