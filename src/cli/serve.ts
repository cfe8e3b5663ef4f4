import {
  defaultDataDirectory,
  isEverywhere,
  openSample,
  openService,
  parseOrderPace,
  RequestLog,
  serve,
} from "../service/mod.ts";
import { callerPath } from "./caller_path.ts";
import type { Command } from "./command.ts";
import { PROGRAM } from "./project.ts";

const HELP = `Serves the API on your own data, or on the built-in SYNTHETIC sample.

${PROGRAM} serve [--data DIR] [--port PORT] [--host ADDRESS] [--new-key]
${PROGRAM} serve --sample [--port PORT] [--host ADDRESS]

  --data DIR      data directory, filled by ${PROGRAM} import (default: ${defaultDataDirectory()})
  --port PORT     port; 0 takes a free one (default: 8080)
  --host ADDRESS  address to listen on (default: 127.0.0.1, this machine only)
  --new-key       issues a key of the local licence and prints it, for programs
  --sample        serves the sample, and prints a key for it
  --public-url U  address under which others reach it, such as https://wind.example.org behind a proxy
  --behind-proxy  every connection is a proxy's, which adds its client to X-Forwarded-For
  --contact WHO   contact for licences, named in refusals, such as sales@example.org
  --log           writes a line of JSON for each request: time, operation, status, ms
  --faults        for tests of clients: the header Vindkit-Fault makes answers slow, cut, wrong or busy (docs/operating.md);
                  with your own data on this machine only
  --order-pace P  for tests of clients: orders take each step after 5s, or after 3polls of their status

On loopback it prints an address that signs a browser on this machine in: once, within 10 minutes.
Ctrl-C or SIGTERM stops it once the answers under way are sent, after 20 s at most; a second Ctrl-C stops it at once.
/healthz reports that it runs, /readyz that it can read its data.`;

/** Time for answers under way once the service is stopped, ms. */
const DRAIN = 20_000;

/**
 * Signals that follow each other within this time count as one, ms: a terminal sends Ctrl-C to all processes, and
 * `deno task` passes it on to the service once more.
 */
const SAME_SIGNAL = 500;

const options = {
  data: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  "new-key": { type: "boolean" },
  sample: { type: "boolean" },
  "public-url": { type: "string" },
  "behind-proxy": { type: "boolean" },
  contact: { type: "string" },
  log: { type: "boolean" },
  faults: { type: "boolean" },
  "order-pace": { type: "string" },
} as const;

/** Prints a line; an output that cannot be written does not stop the service. */
function print(text: string): void {
  try {
    console.log(text);
  } catch {
    // A closed pipe, or a log on a full disk.
  }
}

/** Serves a data directory or the sample until it is stopped. */
export const serveData: Command = {
  help: HELP,
  options,
  rest: 0,
  async run({ text, flag }) {
    const sample = flag("sample");
    const given = text("data");
    if (sample && given) {
      throw new Error("Cannot serve --data and --sample together: give one of them");
    }
    const port = Number(text("port") ?? "8080");
    if (!Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new Error(`Cannot listen: --port is "${text("port")}", not a number from 0 to 65535`);
    }
    const data = given ? callerPath(given) : defaultDataDirectory();
    const encoder = new TextEncoder();
    const log = new RequestLog((bytes) => Deno.stdout.writeSync(bytes));
    const pace = text("order-pace");
    const [publicUrl, contact] = [text("public-url"), text("contact")];
    const how = {
      ...(publicUrl === undefined ? {} : { publicUrl }),
      ...(contact === undefined ? {} : { contact }),
      behindProxy: flag("behind-proxy"),
      ...(flag("log") ? { onAnswer: log.add.bind(log) } : {}),
      ...(pace === undefined ? {} : { orderPace: parseOrderPace(pace) }),
      faults: flag("faults"),
    };
    const service = sample ? await openSample(how) : await openService(data, how);
    const hostname = text("host") ?? "127.0.0.1";
    const server = serve(service, { port, hostname });
    print(`Serving ${sample ? "the SYNTHETIC sample" : data} at ${server.url}`);
    if (publicUrl !== undefined) print(`Others reach it at ${publicUrl}`);
    else if (isEverywhere(hostname)) {
      const own = `http://${Deno.hostname()}:${new URL(server.url).port}`;
      print(`Others reach it by a name or an address of this machine, such as ${own}`);
    }
    if (sample || flag("new-key")) {
      // Not through the console: OpenTelemetry would export the key.
      const key = `Key of the local licence, shown this once: ${await service.issueLocalKey()}\n`;
      Deno.stdout.writeSync(encoder.encode(key));
    }
    if (service.faults) print("It answers with faults to requests that ask for them");
    const end = (code: number) => {
      log.flush();
      Deno.exit(code);
    };
    let stopped: number | undefined;
    for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
      Deno.addSignalListener(signal, () => {
        const now = performance.now();
        stopped ??= now;
        if (now === stopped) server.close(DRAIN).then(() => end(0));
        else if (now - stopped > SAME_SIGNAL) end(code);
      });
    }
    const address = publicUrl ?? server.url;
    const signIn = server.issueSignInUrl();
    if (signIn === undefined) print(`Open ${address} in a browser`);
    else {
      // Like the key, not through the console.
      const line = `Open this in a browser on this machine; it signs in once, within 10 minutes:\n`;
      Deno.stdout.writeSync(encoder.encode(`${line}\n  ${signIn}\n\n`));
    }
    print(`Programs use it with VINDKIT_URL=${address} and VINDKIT_KEY; stop it with Ctrl-C`);
    await server.finished;
  },
};
