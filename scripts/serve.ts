/** Serves a data directory or the sample: `deno task serve --data DIR`. */
import { parseArgs } from "node:util";
import { defaultDataDirectory, openSample, openService, serve } from "@vindkit/vindkit/service";

const HELP = `Serves the API on your own data, or on the built-in SYNTHETIC sample.

deno task serve [--data DIR] [--port PORT] [--host ADDRESS] [--new-key]
deno task serve --sample [--port PORT]

  --data DIR      data directory, filled by deno task import (default: ${defaultDataDirectory()})
  --port PORT     port; 0 takes a free one (default: 8080)
  --host ADDRESS  address to listen on (default: 127.0.0.1, this machine only)
  --new-key       issues a key of the local licence and prints it
  --sample        serves the sample, and prints a key for it`;

const { values } = parseArgs({
  args: Deno.args,
  options: {
    data: { type: "string" },
    port: { type: "string", default: "8080" },
    host: { type: "string", default: "127.0.0.1" },
    "new-key": { type: "boolean", default: false },
    sample: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});

async function run(): Promise<void> {
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new Error(`Cannot listen: --port is "${values.port}", no number from 0 to 65535`);
  }
  const data = values.data ?? defaultDataDirectory();
  const service = values.sample ? await openSample() : await openService(data);
  const server = serve(service, { port, hostname: values.host });
  console.log(`Serving ${values.sample ? "the SYNTHETIC sample" : data} at ${server.url}`);
  if (values.sample || values["new-key"]) {
    console.log(`Key of the local licence, shown this once: ${await service.issueLocalKey()}`);
  }
  console.log(`Use it with VINDKIT_URL=${server.url} and VINDKIT_KEY; stop it with Ctrl-C`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => {
      server.close().then(() => Deno.exit(0));
    });
  }
  await server.finished;
}

if (values.help) {
  console.log(HELP);
  Deno.exit(0);
}
try {
  await run();
} catch (error) {
  console.error((error as Error).message);
  Deno.exit(1);
}
