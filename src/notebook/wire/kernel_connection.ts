import { DataFormatError } from "../../api/errors.ts";

/** Ports of a kernel, by what they are for. */
interface KernelPorts {
  /** Requests to run something. */
  readonly shell: number;
  /** What a cell puts out. */
  readonly iopub: number;
  /** Questions to the user. */
  readonly stdin: number;
  /** Requests that must not wait for cells. */
  readonly control: number;
  /** Whether it lives. */
  readonly heartbeat: number;
}

/** How a kernel on this machine is reached. */
export interface KernelConnection {
  /** Its ports on loopback. */
  readonly ports: KernelPorts;
  /** Key with which messages are signed. */
  readonly key: string;
}

/** The address of all kernels here. */
export const LOOPBACK = "127.0.0.1";

/** Names of the ports in a connection file. */
const FIELDS = {
  shell: "shell_port",
  iopub: "iopub_port",
  stdin: "stdin_port",
  control: "control_port",
  heartbeat: "hb_port",
} as const;

const NAMES = Object.keys(FIELDS) as (keyof KernelPorts)[];

function buildPorts(number: (name: keyof KernelPorts) => number): KernelPorts {
  return Object.fromEntries(NAMES.map((name) => [name, number(name)])) as unknown as KernelPorts;
}

/** No system gives these ports to whoever asks for any port: Linux begins behind them, the others later still. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_767];

/** Listens at a free port, so that nobody else takes it. */
function listenAnywhere(): Deno.TcpListener {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT + 1 - FIRST_PORT));
    try {
      return Deno.listen({ hostname: LOOPBACK, port });
    } catch (error) {
      if (!(error instanceof Deno.errors.AddrInUse)) throw error;
    }
  }
}

/**
 * A connection over ports that are free now, with a key of its own. A kernel listens at them a moment later, and ends
 * where one is taken by then: so they are none that connections and other servers are given by the system.
 */
export function findFreeConnection(): KernelConnection {
  const listeners = NAMES.map(listenAnywhere);
  const ports = buildPorts((name) => listeners[NAMES.indexOf(name)].addr.port);
  for (const listener of listeners) listener.close();
  return { ports, key: crypto.randomUUID() };
}

/** A connection as the text of a connection file. */
export function writeConnection({ ports, key }: KernelConnection): string {
  return JSON.stringify({
    transport: "tcp",
    ip: LOOPBACK,
    ...Object.fromEntries(NAMES.map((name) => [FIELDS[name], ports[name]])),
    key,
    signature_scheme: "hmac-sha256",
    kernel_name: "deno",
  });
}

/**
 * Reads a connection file.
 *
 * @param text Its content
 * @param path Its path, for messages
 * @throws {DataFormatError} If it is none, or leads to another machine; the message has no key in it
 */
export function readConnection(text: string, path: string): KernelConnection {
  const wrong = (problem: string) =>
    new DataFormatError(`Cannot read the connection file ${path}: ${problem}`);
  let content: Record<string, unknown>;
  try {
    content = JSON.parse(text);
  } catch {
    throw wrong("it is not JSON");
  }
  if (content.transport !== "tcp" || content.ip !== LOOPBACK) {
    throw wrong(`it leads to ${content.transport}://${content.ip}, not to tcp://${LOOPBACK}`);
  }
  if (typeof content.key !== "string") throw wrong("it has no key");
  const ports = buildPorts((name) => {
    const port = content[FIELDS[name]];
    if (!Number.isInteger(port)) throw wrong(`${FIELDS[name]} is no port`);
    return port as number;
  });
  return { ports, key: content.key };
}
