/** Serves a data directory or the sample: `deno task serve --data DIR`. */
import {
  defaultDataDirectory,
  openSample,
  openService,
  parseOrderPace,
  RequestLog,
  serve,
} from "@vindkit/vindkit/service";
import { callerPath, command } from "./_command.ts";

const HELP = `Serves the API on your own data, or on the built-in SYNTHETIC sample.

deno task serve [--data DIR] [--port PORT] [--host ADDRESS] [--new-key]
deno task serve --sample [--port PORT] [--host ADDRESS]

  --data DIR      data directory, filled by deno task import (default: ${defaultDataDirectory()})
  --port PORT     port; 0 takes a free one (default: 8080)
  --host ADDRESS  address to listen on (default: 127.0.0.1, this machine only)
  --new-key       issues a key of the local licence and prints it
  --sample        serves the sample, and prints a key for it
  --public-url U  address under which others reach it, such as https://wind.example.org behind a proxy
  --behind-proxy  every connection is a proxy's, which adds its client to X-Forwarded-For
  --contact WHO   whom answers name for a licence, such as sales@example.org
  --log           writes a line of JSON for each request: time, operation, status, ms
  --faults        for tests of clients: the header Vindkit-Fault makes answers slow, cut, wrong or busy (docs/operating.md);
                  with your own data on this machine only
  --order-pace P  for tests of clients: orders take each step after 5s, or after 3polls of their status

Stopped by Ctrl-C or SIGTERM it lets answers under way end, for 20 s at most.
/healthz says that it answers, /readyz that its data do.`;

/** How long answers under way may take once it is stopped, ms. */
const DRAIN = 20_000;

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

await command(HELP, options, 0, async ({ text, flag }) => {
  const sample = flag("sample");
  const given = text("data");
  if (sample && given) throw new Error("Cannot serve both: give --data or --sample");
  const port = Number(text("port") ?? "8080");
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`Cannot listen: --port is "${text("port")}", no number from 0 to 65535`);
  }
  const data = given ? callerPath(given) : defaultDataDirectory();
  const encoder = new TextEncoder();
  const print = (text: string) => void Deno.stdout.writeSync(encoder.encode(text));
  const log = new RequestLog(print);
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
  const server = serve(service, { port, hostname: text("host") ?? "127.0.0.1" });
  console.log(`Serving ${sample ? "the SYNTHETIC sample" : data} at ${server.url}`);
  if (sample || flag("new-key")) {
    // Not by the console, of which OpenTelemetry would export every line.
    print(`Key of the local licence, shown this once: ${await service.issueLocalKey()}\n`);
  }
  if (service.faults) console.log("It answers with faults to requests that ask for them");
  console.log(`Use it with VINDKIT_URL=${server.url} and VINDKIT_KEY; stop it with Ctrl-C`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      server.close(DRAIN).then(() => {
        log.flush();
        Deno.exit(0);
      });
    });
  }
  await server.finished;
});
