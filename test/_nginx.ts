/**
 * The proxy of deploy/nginx.conf for a test: a real nginx on loopback, with temporary folders.
 *
 * @module
 */
import { it } from "@std/testing/bdd";
import { makeCertificate } from "./_certificate.ts";
import { findFreePort, waitForPort } from "./_ports.ts";

/** Debian installs it in /usr/sbin, which is not on every PATH. */
const FOLDERS = ["/usr/sbin", ...(Deno.env.get("PATH") ?? "").split(":")];

const CONFIGURATION = new URL("../deploy/nginx.conf", import.meta.url);

const program = FOLDERS.map((folder) => `${folder}/nginx`).find((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});

/** A running proxy. */
export interface Nginx extends AsyncDisposable {
  /** Its address, with TLS. */
  readonly url: string;
  /** Certificate that a client must trust, PEM. */
  readonly certificate: string;
  /** Its error log so far. */
  readProblems(): Promise<string>;
}

/** Replaces all occurrences of a text, which must occur. */
function replace(text: string, from: string, to: string): string {
  if (!text.includes(from)) throw new Error(`deploy/nginx.conf has no "${from}"`);
  return text.replaceAll(from, to);
}

/**
 * Starts nginx with deploy/nginx.conf; only addresses and certificate files are replaced.
 *
 * @param servers Host and port of each of its servers
 */
export async function startNginx(servers: readonly [string, string]): Promise<Nginx> {
  const folder = await Deno.makeTempDir({ prefix: "vindkit-nginx-" });
  await Deno.chmod(folder, 0o755); // if root starts it, its workers run as another user
  const { key, cert } = await makeCertificate(folder);
  const port = findFreePort();
  let site = await Deno.readTextFile(CONFIGURATION);
  for (
    const [from, to] of [
      ["server1:8080", servers[0]],
      ["server2:8080", servers[1]],
      ["listen 443 ", `listen 127.0.0.1:${port} `],
      ["server_name wind.example.org", "server_name localhost"],
      ["/etc/ssl/vindkit/fullchain.pem", cert],
      ["/etc/ssl/vindkit/key.pem", key],
    ]
  ) site = replace(site, from, to);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((name) => `${name}_temp_path ${folder}/${name};`);
  const main = [
    `daemon off; pid ${folder}/pid;`,
    "worker_processes 2;",
    "events {}",
    `http { ${temporary.join(" ")} include ${folder}/site.conf; }`,
  ];
  await Deno.writeTextFile(`${folder}/site.conf`, site);
  await Deno.writeTextFile(`${folder}/main.conf`, main.join("\n"));
  const child = new Deno.Command(program!, {
    args: ["-e", `${folder}/problems`, "-c", `${folder}/main.conf`],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await waitForPort(port);
  return {
    url: `https://localhost:${port}`, // a name, because nginx chooses the server by it
    certificate: await Deno.readTextFile(cert),
    readProblems: () => Deno.readTextFile(`${folder}/problems`),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.status;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** A test that needs nginx; skipped, with the reason in its name, if nginx is not installed. */
export function itWithNginx(name: string, body: () => Promise<void>): void {
  if (program) it(name, body);
  else it.ignore(`${name} (left out: nginx is not installed)`, body);
}
