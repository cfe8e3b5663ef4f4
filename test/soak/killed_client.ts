import { hashFile } from "../../src/disk/hashes.ts";
import { Ledger } from "../../src/client/orders/ledger.ts";
import { type ServiceUnderTest, withService } from "../faults/_with_service.ts";

/** Hours of the ten years of an order. */
const ORDERED_HOURS = 87_648;

/** Longest time from a child's first request to its kill, ms: about the time of a whole run. */
const MAX_LIFE = 2_000;

/** Numbers from 0 to 1, the same in every run. */
function seeded(seed: number): () => number {
  return () => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 32;
  };
}

interface Outcome {
  readonly hours: number;
  readonly order: number | "uncertain";
}

function child(service: ServiceUnderTest, home: string, latitude: number, repeat: boolean) {
  return new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--allow-ffi",
      "--allow-sys=cpus,hostname,networkInterfaces",
      "--allow-read",
      "--allow-write",
      "--allow-env",
      "--allow-net=127.0.0.1",
      new URL("_killed_child.ts", import.meta.url).pathname,
      service.url,
      home,
      String(latitude),
      repeat ? "repeat" : "once",
    ],
    env: { VINDKIT_KEY: service.key.reveal() },
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs a child to its end. */
async function whole(
  service: ServiceUnderTest,
  home: string,
  latitude: number,
  repeat: boolean,
): Promise<Outcome> {
  const { stdout, stderr, success } = await child(service, home, latitude, repeat).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return JSON.parse(new TextDecoder().decode(stdout)) as Outcome;
}

/** Runs a child and kills it some time after its first request. */
async function killed(
  service: ServiceUnderTest,
  home: string,
  latitude: number,
  life: number,
): Promise<void> {
  const before = service.requests.length;
  const running = child(service, home, latitude, false).spawn();
  const ended = running.status;
  let over = false;
  ended.then(() => over = true);
  while (service.requests.length === before && !over) await pause(5);
  await pause(life);
  if (!over) running.kill("SIGKILL");
  await ended;
  await Promise.all([running.stdout.cancel(), running.stderr.cancel()]);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Files of the cache whose content does not match the hash in their name. */
async function halfFiles(home: string): Promise<string[]> {
  const broken: string[] = [];
  for (const folder of ["bodies", "frames"]) {
    for await (const { name } of Deno.readDir(`${home}/cache/${folder}`)) {
      if (name.endsWith(".part")) continue; // temporary, never read
      const path = `${home}/cache/${folder}/${name}`;
      const hash = name.replace(".parquet", "").split(".").at(-1);
      if (await hashFile(path) !== hash) broken.push(path);
    }
  }
  return broken;
}

/**
 * Kills a client at random moments of order, download and cache write, and checks the files it left.
 *
 * @param rounds How often
 * @param say Prints the results
 * @param advance Called after each
 * @returns Violations, in words
 */
export async function killedClient(
  rounds: number,
  say: (line: string) => void,
  advance: () => void,
): Promise<string[]> {
  const faults: string[] = [];
  const random = seeded(20_261_120);
  const home = await Deno.makeTempDir();
  const seen = { uncertain: 0, joined: 0, delivered: 0, untouched: 0, resumed: 0 };
  await withService(async (service) => {
    for (let round = 0; round < rounds; round++) {
      const latitude = 55 + (round + 1) / 1000; // a new order in each round
      const sent = () =>
        service.requests.filter(({ operation, path }) =>
          operation === "place_order" && path.includes(`lat=${latitude}&`)
        );
      const files = () => service.requests.filter(({ operation }) => operation === "order_file");
      await killed(service, home, latitude, random() * MAX_LIFE);
      advance();
      const entry = new Ledger(home).listEntries().find(({ parameters }) =>
        parameters.lat === latitude
      );
      if (!entry) seen.untouched++;
      else if (entry.state === "delivered") seen.delivered++;
      else if (entry.state === "sent") seen.uncertain++;
      else if (entry.state === "placed" && entry.orderId) seen.joined++;
      else faults.push(`round ${round}: the ledger has ${entry.state} ${entry.orderId}`);
      if (!entry && sent().length > 0) faults.push(`round ${round}: sent but not in the ledger`);
      faults.push(...(await halfFiles(home)).map((path) => `round ${round}: half file ${path}`));

      const before = sent().length;
      const outcome = await whole(service, home, latitude, false);
      const again = sent().length - before;
      if (entry && again > 0 && entry.state !== "delivered") {
        faults.push(`round ${round}: ${entry.state}, and sent again without repeat`);
      }
      if (entry?.state === "sent" && outcome.order !== "uncertain") {
        faults.push(`round ${round}: an uncertain order was taken for ${outcome.order}`);
      }
      if (outcome.order === "uncertain") {
        const last = await whole(service, home, latitude, true);
        if (last.order !== ORDERED_HOURS) faults.push(`round ${round}: ${last.order} hours`);
      } else if (outcome.order !== ORDERED_HOURS) {
        faults.push(`round ${round}: ${outcome.order} hours`);
      }
      if (files().at(-1)?.headers.has("range")) seen.resumed++;
      const ids = new Set(
        new Ledger(home).listEntries().filter(({ parameters }) => parameters.lat === latitude)
          .map(({ orderId }) => orderId).filter((id) => id !== null),
      );
      if (ids.size > 1) faults.push(`round ${round}: ${ids.size} orders at the service`);
    }
  }, {
    faults: [
      { on: "place_order", times: Infinity, act: { kind: "slow", milliseconds: 150 } },
      {
        on: "order_file",
        times: Infinity,
        act: { kind: "trickle", bytes: 16_384, milliseconds: 10 },
      },
    ],
  });
  await Deno.remove(home, { recursive: true });
  say(
    `${rounds} rounds: killed before the order ${seen.untouched}, without an answer ` +
      `${seen.uncertain}, with a known order ${seen.joined}, after delivery ${seen.delivered}; ` +
      `downloads resumed ${seen.resumed}`,
  );
  return faults;
}
