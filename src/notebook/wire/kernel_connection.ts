import { DataFormatError } from "../../api/errors.ts";

/** Ports of a kernel by purpose. */
interface KernelPorts {
  /** Execution requests. */
  readonly shell: number;
  /** Outputs of cells. */
  readonly iopub: number;
  /** Input requests to the user. */
  readonly stdin: number;
  /** Requests that must not wait for cells. */
  readonly control: number;
  /** Echo that tells clients whether the kernel is alive. */
  readonly heartbeat: number;
}

/** Ports and key of a kernel on this machine. */
export interface KernelConnection {
  /** Its ports on loopback. */
  readonly ports: KernelPorts;
  /** Key that signs the messages. */
  readonly key: string;
}

/** Address at which kernels listen. */
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

/** Ports that no system assigns to connections: Linux assigns higher ones, other systems even higher ones. */
const [FIRST_PORT, LAST_PORT] = [10_000, 32_767];

/** Listens at a free port, to reserve it. */
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
 * Finds free ports, and makes a new key. A kernel listens at the ports a moment later and fails if one is in use by then,
 * so they are outside of the range that systems assign.
 */
export function findFreeConnection(): KernelConnection {
  const listeners = NAMES.map(listenAnywhere);
  const ports = buildPorts((name) => listeners[NAMES.indexOf(name)].addr.port);
  for (const listener of listeners) listener.close();
  return { ports, key: crypto.randomUUID() };
}

/** Writes the content of a connection file. */
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
 * @throws {DataFormatError} If it is not a connection file, or names another machine; the message does not reveal the key
 */
export function readConnection(text: string, path: string): KernelConnection {
  const wrong = (problem: string) =>
    new DataFormatError(`Cannot read the connection file ${path}: ${problem}`);
  let content: Record<string, unknown>;
  try {
    content = JSON.parse(text);
  } catch {
    throw wrong("it is not JSON. Start a new kernel");
  }
  if (content.transport !== "tcp" || content.ip !== LOOPBACK) {
    throw wrong(
      `its address is ${content.transport}://${content.ip}, not tcp://${LOOPBACK}. Set the second address in the configuration of Jupyter`,
    );
  }
  if (typeof content.key !== "string") throw wrong("it has no key. Start a new kernel");
  const ports = buildPorts((name) => {
    const port = content[FIELDS[name]];
    if (!Number.isInteger(port)) throw wrong(`${FIELDS[name]} is not a port. Start a new kernel`);
    return port as number;
  });
  return { ports, key: content.key };
}
