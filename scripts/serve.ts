/** Serves a data directory or the sample: `deno task serve --data DIR`. */
import {
  defaultDataDirectory,
  openSample,
  openService,
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
  --log           writes a line of JSON for each request: time, operation, status, ms

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
  log: { type: "boolean" },
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
  const log = new RequestLog((lines) => void Deno.stdout.writeSync(encoder.encode(lines)));
  const told = flag("log") ? { onAnswer: log.add.bind(log) } : {};
  const service = sample ? await openSample(told) : await openService(data, told);
  const server = serve(service, { port, hostname: text("host") ?? "127.0.0.1" });
  console.log(`Serving ${sample ? "the SYNTHETIC sample" : data} at ${server.url}`);
  if (sample || flag("new-key")) {
    console.log(`Key of the local licence, shown this once: ${await service.issueLocalKey()}`);
  }
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
