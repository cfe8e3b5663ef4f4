import { isEverywhere, openSample, openService, RequestLog, serve } from "../../service/mod.ts";
import { formatStorage } from "../../storage/mod.ts";
import { type Command, MisuseError } from "../command/command.ts";
import { printSecret } from "../command/arguments.ts";
import { readStorage, storageOptions } from "../command/storage.ts";

/** Most workers of `serve`: each takes 250 MB, and a machine with many cores need not have that for each. */
const MAX_DEFAULT_WORKERS = 4;

/** How many workers `serve` has: one core is left for what answers. */
export function countWorkers(cores: number): number {
  return Math.max(1, Math.min(MAX_DEFAULT_WORKERS, cores - 1));
}

/** Time for answers under way once the service is stopped, ms. */
const DRAIN = 20_000;

/** Prints a line; an output that cannot be written does not stop the service. */
function print(text: string): void {
  try {
    console.log(text);
  } catch {
    // A closed pipe, or a log on a full disk.
  }
}

/** Serves data or the sample until it is stopped. */
export const serveData: Command = {
  forms: ["[OPTIONS]"],
  options: {
    ...storageOptions,
    sample: { about: "serves the sample instead, and prints a key for it" },
    port: { value: "PORT", about: "port; 0 takes a free one (default: 8080)" },
    host: {
      value: "ADDRESS",
      about: "address to listen on (default: 127.0.0.1, this machine only)",
    },
    "new-key": { about: "issues a key of the local licence and prints it, for programs" },
    "public-url": {
      value: "URL",
      about: "address under which others reach it, such as https://wind.example.org behind a proxy",
    },
    "behind-proxy": {
      about: "every connection is a proxy's, which adds its client to X-Forwarded-For",
    },
    contact: {
      value: "WHO",
      about: "contact for licences, named in refusals, such as sales@example.org",
    },
    log: { about: "writes a line of JSON for each request: time, operation, status, ms" },
  },
  example: "--sample --port 8080",
  notes: [
    "On loopback it prints an address that signs a browser on this machine in: once, within 10 minutes.",
    "Ctrl-C or SIGTERM stops it once the answers under way are sent, after 20 s at most; a second Ctrl-C stops it at " +
    "once. /healthz reports that it runs, /readyz that it can read its data.",
  ],
  resume: "Answers under way were cut, orders are stored: the same command serves again.",
  async run({ text, flag, signal }) {
    const sample = flag("sample");
    const given = Object.keys(storageOptions).find((name) => text(name));
    if (sample && given) {
      throw new MisuseError(`Cannot serve --${given} and --sample together: give one of them`);
    }
    const port = Number(text("port") ?? "8080");
    if (text("port")?.trim() === "" || !Number.isInteger(port) || port < 0 || port > 65_535) {
      throw new MisuseError(
        `Cannot listen: --port is "${text("port")}", not a number from 0 to 65535`,
      );
    }
    const data = readStorage(text);
    const log = new RequestLog((bytes) => Deno.stdout.writeSync(bytes));
    addEventListener("unload", () => log.flush()); // also where a second signal ends the process
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
    if (publicUrl !== undefined) print(`Others reach it at ${publicUrl}`);
    else if (how.behindProxy) {
      print("Requests that the proxy passes on with a host of its own need --public-url");
    } else if (isEverywhere(hostname)) {
      const own = `http://${Deno.hostname()}:${new URL(server.url).port}`;
      print(`Others reach it by a name or an address of this machine, such as ${own}`);
    }
    if (sample || flag("new-key")) {
      printSecret(`Key of the local licence, shown this once: ${await service.issueLocalKey()}`);
    }
    const address = publicUrl ?? server.url;
    const signIn = server.issueSignInUrl();
    if (signIn === undefined) print(`Open ${address} in a browser`);
    else {
      const line = "Open this in a browser on this machine; it signs in once, within 10 minutes:";
      printSecret(`${line}\n\n  ${signIn}\n`);
    }
    print(`Programs use it with VINDKIT_URL=${address} and VINDKIT_KEY; stop it with Ctrl-C`);
    signal.throwIfAborted();
    await Promise.race([
      server.finished,
      new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve())),
    ]);
    await server.close(DRAIN);
  },
};
