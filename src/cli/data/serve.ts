import { isEverywhere, openSample, openService, RequestLog, serve } from "../../service/mod.ts";
import { formatStorage } from "../../storage/mod.ts";
import { type Command, MisuseError } from "../command/command.ts";
import { printSecret } from "../command/arguments.ts";
import { readStorage, storageOptions } from "../command/storage.ts";

/** Most workers of `serve` by default: each takes 250 MB, and a machine with many cores may not have that much for each. */
const MAX_DEFAULT_WORKERS = 4;

/** Number of workers of `serve`: one core remains for requests. */
export function countWorkers(cores: number): number {
  return Math.max(1, Math.min(MAX_DEFAULT_WORKERS, cores - 1));
}

/** Time to finish running requests after a stop, ms. */
const DRAIN = 20_000;

/** Prints a line; a failure to write it does not stop the service. */
function print(text: string): void {
  try {
    console.log(text);
  } catch {
    // closed pipe, or a log on a full disk
  }
}

/** Serves data or the sample until it is stopped. */
export const serveData: Command = {
  forms: ["[OPTIONS]"],
  options: {
    ...storageOptions,
    sample: { about: "serves the sample instead of your data, and prints a key" },
    port: { value: "PORT", about: "port; 0 chooses a free port (default: 8080)" },
    host: {
      value: "ADDRESS",
      about: "address to listen on (default: 127.0.0.1, this machine only)",
    },
    "new-key": { about: "issues a key of the local licence and prints it, for programs" },
    "public-url": {
      value: "URL",
      about: "public address of the service, such as https://wind.example.org behind a proxy",
    },
    "behind-proxy": {
      about:
        "declares that every connection comes from a proxy that adds the client address to X-Forwarded-For",
    },
    contact: {
      value: "WHO",
      about: "contact for licences, shown in refusals, such as sales@example.org",
    },
    log: { about: "writes a JSON line for each request: time, operation, status, ms" },
  },
  example: "--sample --port 8080",
  notes: [
    "On loopback, the command prints an address that signs in a browser on this machine, once and within 10 minutes.",
    "After Ctrl-C or SIGTERM, the service completes running requests for up to 20 s, then stops. A second Ctrl-C stops " +
    "it at once. /healthz shows whether the service runs, and /readyz whether it can read its data.",
  ],
  resume:
    "Running requests were cut off, but orders are stored. Run the same command to serve again.",
  async run({ text, flag, signal }) {
    const sample = flag("sample");
    const option = Object.keys(storageOptions).find((name) => text(name));
    if (sample && option) {
      throw new MisuseError(
        `Cannot serve --${option} and --sample together: both name a source. Omit one of these options`,
      );
    }
    const port = Number(text("port") ?? "8080");
    if (text("port")?.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new MisuseError(
        `Cannot start the service: --port is "${
          text("port")
        }", not a whole number from 0 to 65535. Give a port such as 8080`,
      );
    }
    const data = readStorage(text);
    const log = new RequestLog((bytes) => Deno.stdout.writeSync(bytes));
    addEventListener("unload", () => log.flush()); // also if a second signal ends the process
    const [publicUrl, contact] = [text("public-url"), text("contact")];
    const how = {
      publicUrl,
      contact,
      behindProxy: flag("behind-proxy"),
      ...(flag("log") && { onAnswer: log.add.bind(log) }),
      workers: countWorkers(navigator.hardwareConcurrency),
    };
    const service = sample ? await openSample(how) : await openService(data, how);
    const hostname = text("host") ?? "127.0.0.1";
    const server = serve(service, { port, hostname });
    print(`Serving ${sample ? "the SYNTHETIC sample" : formatStorage(data)} at ${server.url}`);
    if (publicUrl !== undefined) print(`Public address: ${publicUrl}`);
    else if (how.behindProxy) {
      print("If the proxy changes the Host header of requests, give --public-url");
    } else if (isEverywhere(hostname)) {
      const address = `http://${Deno.hostname()}:${new URL(server.url).port}`;
      print(
        `Other machines can open the service by a name or address of this machine, such as ${address}`,
      );
    }
    if (sample || flag("new-key")) {
      printSecret(`Key of the local licence, shown only once: ${await service.issueLocalKey()}`);
    }
    const address = publicUrl ?? server.url;
    const signIn = server.issueSignInUrl();
    if (signIn === undefined) print(`Open ${address} in a browser`);
    else {
      const line =
        "Open this address in a browser on this machine. It signs you in once, within 10 minutes:";
      printSecret(`${line}\n\n  ${signIn}\n`);
    }
    print(`For programs, set VINDKIT_URL=${address} and VINDKIT_KEY. Stop the service with Ctrl-C`);
    signal.throwIfAborted();
    await Promise.race([
      server.finished,
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
    ]);
    await server.close(DRAIN);
  },
};
