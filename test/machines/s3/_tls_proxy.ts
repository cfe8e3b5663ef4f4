import { makeCertificate } from "../../_certificate.ts";

/** A TLS proxy in front of a test's server, with its own certificate. */
export interface TlsProxy extends AsyncDisposable {
  /** Its address. */
  readonly endpoint: string;
  /** File with the certificate that a client must trust. */
  readonly certificates: string;
}

/** Starts one. */
export async function startTlsProxy(server: string): Promise<TlsProxy> {
  const { hostname, port } = new URL(server);
  const folder = await Deno.makeTempDir();
  const { key, cert } = await makeCertificate(folder);
  const listener = Deno.listenTls({
    hostname: "127.0.0.1",
    port: 0,
    key: await Deno.readTextFile(key),
    cert: await Deno.readTextFile(cert),
  });
  const pipes: Promise<unknown>[] = [];
  const accepting = (async () => {
    for await (const client of listener) {
      const upstream = await Deno.connect({ hostname, port: Number(port) });
      pipes.push(
        client.readable.pipeTo(upstream.writable).catch(() => {}),
        upstream.readable.pipeTo(client.writable).catch(() => {}),
      );
    }
  })();
  return {
    endpoint: `https://127.0.0.1:${listener.addr.port}`,
    certificates: cert,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      await Promise.all(pipes);
      await Deno.remove(folder, { recursive: true });
    },
  };
}
