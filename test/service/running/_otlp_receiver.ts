/**
 * A real OTLP/HTTP server that keeps all requests.
 *
 * @module
 */

/** Exported telemetry. */
export interface OtlpReceiver {
  /** Address for `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly url: string;
  /** Bodies by kind: `traces`, `metrics`, `logs`; bytes as one character each. */
  readonly received: Readonly<Record<string, string>>;
  /** All requests, including headers and addresses. */
  readonly all: string;
  close(): Promise<void>;
}

/** Starts it on a free port. */
export function receiveOtlp(): OtlpReceiver {
  const received: Record<string, string> = { traces: "", metrics: "", logs: "" };
  let all = "";
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    async (request) => {
      const bytes = await request.bytes();
      const text = new TextDecoder("latin1").decode(bytes);
      received[new URL(request.url).pathname.split("/").at(-1)!] += text;
      all += `${request.url} ${JSON.stringify([...request.headers])} ${text}\n`;
      return Response.json({});
    },
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    received,
    get all() {
      return all;
    },
    close: () => server.shutdown(),
  };
}
