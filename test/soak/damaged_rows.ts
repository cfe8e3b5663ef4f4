import { migratePostgres } from "../../src/machines/postgres/postgres_schema.ts";
import { PostgresDatabase } from "../../src/machines/postgres/postgres_database.ts";
import { migrateQueue } from "../../src/machines/queue/open_boss.ts";
import { moveData } from "../../src/machines/move_data.ts";
import { shareStorage } from "../../src/machines/shared_storage.ts";
import { openService, type Service } from "../../src/service/running/service.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { openStorage } from "../../src/storage/storage.ts";
import type { StoredRow } from "../../src/storage/store/engine.ts";
import { startPostgres } from "../_postgres.ts";
import { type Answer, answersTo, DamagedData, PUBLIC_URL } from "./_damaged_data.ts";

/** Tables of documents, and their keys. */
const TABLES = {
  documents: ["kind", "id"],
  contents: ["kind", "id", "part"],
  lists: ["kind"],
} as const;

const KINDS = ["another character", "a row is gone", "two rows swapped", "a column emptied"];

async function openDatabase(address: string): Promise<PostgresDatabase & AsyncDisposable> {
  const database = await PostgresDatabase.open(address);
  return Object.assign(database, { [Symbol.asyncDispose]: () => database.close() });
}

/** Damages a row of a table; returns the damage in words. */
async function damageRow(database: PostgresDatabase, random: SeededRandom): Promise<string> {
  const pick = <T>(all: readonly T[]) => all[random.below(all.length)];
  const table = pick(Object.keys(TABLES) as (keyof typeof TABLES)[]);
  const key = TABLES[table];
  const rows = await database.all(`SELECT * FROM vindkit.${table} ORDER BY ${key.join(", ")}`);
  const [row, other] = [pick(rows), pick(rows)];
  const where = key.map((name, i) => `${name} = $${i + 2}`).join(" AND ");
  const idOf = (one: StoredRow) => key.map((name) => one[name] as string | number);
  const set = async (one: StoredRow, column: string, value: unknown) => {
    const sql = `UPDATE vindkit.${table} SET ${column} = $1 WHERE ${where}`;
    await database.run(sql, value as string, ...idOf(one));
  };
  const kind = pick(KINDS);
  const column = pick(
    Object.keys(row).filter((name) => !(key as readonly string[]).includes(name)),
  );
  const done = `${kind}: ${column} of ${idOf(row).join(" ")} in ${table}`;
  if (kind === "a row is gone") {
    const same = where.replaceAll(/\$(\d+)/g, (_, number) => `$${Number(number) - 1}`);
    await database.run(`DELETE FROM vindkit.${table} WHERE ${same}`, ...idOf(row));
  } else if (kind === "two rows swapped") {
    await set(row, column, other[column]);
    await set(other, column, row[column]);
  } else if (typeof row[column] === "number") {
    await set(row, column, row[column] + 1);
  } else if (kind === "a column emptied") {
    await set(row, column, "");
  } else {
    const text = String(row[column]);
    const at = random.below(text.length);
    await set(
      row,
      column,
      `${text.slice(0, at)}${text[at] === "x" ? "y" : "x"}${text.slice(at + 1)}`,
    );
  }
  return done;
}

/** Requests everything twice, and compares the answers with the right ones; returns the outcome. */
async function compare(
  service: Service,
  { questions, right }: Pick<DamagedData, "questions" | "right">,
  fault: (text: string) => void,
): Promise<string> {
  const answers: Answer[] = [];
  for (let time = 0; time < 2; time++) {
    answers.push(...await answersTo(PUBLIC_URL, questions, (request) => service.fetch(request)));
  }
  const refused = answers.filter((answer) => /^5\d\d /.test(answer)).length;
  for (const [i, answer] of answers.entries()) {
    const expected = right[i % right.length];
    if (answer !== expected && !/^5\d\d /.test(answer)) {
      fault(`${questions[i % right.length].path}: ${answer}, not ${expected}`);
    }
  }
  return refused > 0 ? "5xx if needed" : "all right";
}

/**
 * Damages rows of a PostgreSQL store at random, before a service starts or while it runs, and compares all its
 * answers with the right ones.
 *
 * @param rounds How often
 * @param say Prints the results
 * @param advance Called after each
 * @returns Violations, in words
 */
export async function damagedRows(
  rounds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  const counts: Record<string, number> = {};
  const damaged = await DamagedData.prepare();
  // Leaves out gzipped answers: rendered files are not rows, and a new service has none yet.
  const plain = damaged.questions.flatMap(({ headers }, i) =>
    headers["accept-encoding"] === "gzip" ? [] : [i]
  );
  const asked = {
    questions: plain.map((i) => damaged.questions[i]),
    right: plain.map((i) => damaged.right[i]),
  };
  const server = await startPostgres();
  const { error } = console;
  try {
    const address = await server.createDatabase();
    await migratePostgres(address);
    await migrateQueue(address);
    const files = `${damaged.data}/files`;
    {
      await using source = await openStorage(damaged.data);
      await using target = await shareStorage({ database: address, files }).open();
      await moveData(source, target);
    }
    await using database = await openDatabase(address);
    await database.run("CREATE SCHEMA whole");
    for (const table of Object.keys(TABLES)) {
      await database.run(`CREATE TABLE whole.${table} AS TABLE vindkit.${table}`);
    }
    for (let round = 0; round < rounds; round++, advance()) {
      const random = new SeededRandom(`damaged rows ${round}`);
      for (const table of Object.keys(TABLES)) {
        await database.run(`TRUNCATE vindkit.${table}`);
        await database.run(`INSERT INTO vindkit.${table} SELECT * FROM whole.${table}`);
      }
      const logged: string[] = [];
      console.error = (...all: unknown[]) => void logged.push(all.join(" "));
      const open = () =>
        openService(shareStorage({ database: address, files }), {
          publicUrl: PUBLIC_URL,
        });
      const before = random.uniform() < 0.5;
      let service = before ? undefined : await open();
      if (random.uniform() < 0.5) await compareQuietly(service, damaged);
      const done = await damageRow(database, random);
      const fault = (text: string) =>
        faults.push(`round ${round}: ${done}, ${before ? "before" : "after"} the start: ${text}`);
      let outcome: string;
      try {
        service ??= await open();
        outcome = await compare(service, asked, fault);
        const named = logged.some((line) => line.includes("is damaged"));
        if (outcome !== "all right" && !named) {
          fault(`its log does not name the damage: ${logged[0]}`);
        }
      } catch (failure) {
        const { message } = failure as Error;
        if (!/Cannot (serve|open) /.test(message)) fault(message);
        outcome = "does not start and says why";
      }
      counts[outcome] = (counts[outcome] ?? 0) + 1;
      await service?.close();
    }
  } finally {
    console.error = error;
    await server.stop();
    await damaged.remove();
  }
  say(`${rounds} damages: ${Object.entries(counts).sort().map((one) => one.join(" ")).join(", ")}`);
  return faults;
}

/** Requests everything once to fill the caches of a service. */
async function compareQuietly(service: Service | undefined, damaged: DamagedData): Promise<void> {
  if (service) await answersTo(PUBLIC_URL, damaged.questions, (request) => service.fetch(request));
}
