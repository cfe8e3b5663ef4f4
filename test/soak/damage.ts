import { IDENTITY_FILE } from "../../src/storage/files/files.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { answersTo, DamagedData, DEADLINE, startService } from "./_damaged_data.ts";
import {
  damage as damageFile,
  isOfDatabase,
  type Kind,
  KINDS,
  type Target,
  TARGETS,
} from "./_damages.ts";
import { pause, type ServiceProcess } from "./_processes.ts";

/** Outcomes of the rounds and their counts. */
type Counts = Record<string, number>;

/** Ends a service with SIGTERM; reports a fault if it does not end. */
async function stop(service: ServiceProcess, fault: (text: string) => void): Promise<void> {
  const ended = service.end("SIGTERM").then(() => true);
  if (await Promise.race([ended, pause(DEADLINE).then(() => false)])) return;
  fault("SIGTERM did not end it");
  Deno.kill(service.pid, "SIGKILL");
  await ended;
}

/** Requests everything twice, and compares the answers with the right ones. */
async function compare(
  { questions, right }: DamagedData,
  service: ServiceProcess,
  target: Target,
  fault: (text: string) => void,
): Promise<string> {
  let refused = 0;
  for (const time of ["first", "second"]) {
    for (const [i, answer] of (await answersTo(service.url, questions)).entries()) {
      if (answer === right[i]) continue;
      const { path, needsSeries, needsModel } = questions[i];
      const needed = isOfDatabase(target) || target === "series" && needsSeries ||
        target === "model" && needsModel;
      if (needed && /^5\d\d /.test(answer)) refused++;
      else fault(`${path} the ${time} time: ${answer}, not ${right[i]}`);
    }
  }
  if (refused > 0 && !/Cannot use \S+:/.test(service.errors)) {
    fault(`its log does not name the file: ${service.errors.slice(0, 500)}`);
  }
  return refused > 0 ? "5xx if needed" : "all right";
}

/** Does one damage. Returns the outcome; `undefined` if there was nothing to damage. */
async function damageOnce(
  damaged: DamagedData,
  live: { service?: ServiceProcess },
  random: SeededRandom,
  { target, kind }: { readonly target: Target; readonly kind: Kind },
  fault: (text: string) => void,
): Promise<string | undefined> {
  const before = random.uniform() < 0.5;
  const database = isOfDatabase(target);
  // Files outside of the database can be restored while a service runs.
  if ((before || database) && live.service) {
    await stop(live.service, fault);
    delete live.service;
  }
  await damaged.restore(live.service !== undefined);
  if (target === "model" && random.uniform() < 0.5) await damaged.removeRendered();
  if (!before) {
    live.service ??= await startService(damaged.data);
    if (target === "log of the database") await damaged.write(live.service.url);
    if (random.uniform() < 0.5) await answersTo(live.service.url, damaged.questions);
  }
  const done = damageFile(damaged.data, damaged.places, target, kind, random);
  if (done === undefined) return undefined;
  const named = (text: string) =>
    fault(`${done}, ${before ? "before" : "after"} the start: ${text}`);
  if (before) {
    try {
      live.service = await startService(damaged.data);
    } catch (error) {
      const { message } = error as Error;
      const mayEnd = database || done.includes(IDENTITY_FILE);
      if (!mayEnd || !/Cannot (serve|open|use) \S+/.test(message)) named(message);
      return "does not start and says why";
    }
  }
  const outcome = await compare(damaged, live.service!, target, named);
  if (target === "series" && await isReady(live.service!)) named("/readyz says that all is well");
  if (database) {
    await stop(live.service!, named);
    delete live.service;
  }
  return outcome;
}

async function isReady({ url }: ServiceProcess): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(DEADLINE) });
  await answer.body?.cancel();
  return answer.ok;
}

/**
 * Damages files of a data directory at random, before its service starts or while it runs, and compares all its
 * answers with the right ones.
 *
 * @param rounds How often
 * @param say Prints the results
 * @param advance Called after each
 * @returns Violations, in words
 */
export async function damage(
  rounds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  const counts: Partial<Record<Target, Counts>> = {};
  const damaged = await DamagedData.prepare();
  const kinds: Counts = {};
  const live: { service?: ServiceProcess } = {};
  try {
    for (let round = 0, done = 0; done < rounds; round++) {
      const random = new SeededRandom(`damage ${round}`);
      const target = TARGETS[random.below(TARGETS.length)];
      const drawn = KINDS[random.below(KINDS.length)];
      const kind = target === "licence" || target === "key" ? "flip" : drawn;
      const fault = (text: string) => faults.push(`round ${round}: ${text}`);
      const outcome = await damageOnce(damaged, live, random, { target, kind }, fault);
      if (outcome === undefined) continue;
      const seen = counts[target] ??= {};
      seen[outcome] = (seen[outcome] ?? 0) + 1;
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      done++;
      advance();
    }
    if (live.service) await stop(live.service, (text) => faults.push(text));
  } finally {
    await live.service?.[Symbol.asyncDispose]();
    await damaged.remove();
  }
  const format = (seen: Counts) =>
    Object.entries(seen).sort().map(([name, count]) => `${name} ${count}`).join(", ");
  say(`${rounds} damages: ${format(kinds)}`);
  for (const target of TARGETS) say(`${target}: ${format(counts[target] ?? {})}`);
  return faults;
}
