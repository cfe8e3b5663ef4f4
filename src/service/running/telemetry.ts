import { ConfigurationError } from "../../api/errors.ts";
import { operations } from "../../api/operations/operations.ts";
import type { AnswerRecord } from "../routing/request_log.ts";

/** Name under which metrics are exported. */
const NAME = "vindkit";

type Attributes = Readonly<Record<string, string | number | bigint>>;

/** The part of the runtime's telemetry that the service uses. */
interface RuntimeTelemetry {
  /** Whether it creates its own span for each request. */
  readonly tracing: boolean;
  readonly meter: {
    createHistogram(
      name: string,
      options: {
        unit: string;
        description: string;
        advice?: { explicitBucketBoundaries: number[] };
      },
    ): { record(value: number, attributes?: Attributes): void };
  };
}

/** Registry of the OpenTelemetry API, in which the runtime stores its providers if telemetry is on. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/**
 * Reads the runtime's OpenTelemetry. Its providers are used directly: `@opentelemetry/api` would return silent ones if
 * the runtime's spans are off, and this service has to run without those (see `telemetry.ts`).
 *
 * @returns `undefined` if it is off
 */
function readRuntimeTelemetry(): RuntimeTelemetry | undefined {
  const registry =
    (globalThis as { [REGISTRY]?: { trace?: unknown; metrics?: unknown } })[REGISTRY];
  const { tracerProvider, meterProvider } = Deno.telemetry;
  const tracing = registry?.trace !== undefined && registry.trace === tracerProvider;
  const metrics = registry?.metrics !== undefined && registry.metrics === meterProvider;
  if (!tracing && !metrics) return undefined;
  return {
    tracing,
    meter: (meterProvider as { getMeter(name: string): RuntimeTelemetry["meter"] }).getMeter(NAME),
  };
}

/** Bounds of the classes of durations, s: an index takes less than 1 ms, a first rendering a second or two. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const templates = new Map<string, string>(operations.map(({ id, path }) => [id, path]));

/**
 * Metrics of the service. They are made from the records of the request log, so keys, serial
 * numbers, e-mails, turbines and secret addresses cannot be in them: they never see a request.
 */
interface Telemetry {
  countAnswer(answer: AnswerRecord): void;
  /**
   * Counts an order that has ended.
   *
   * @param milliseconds Since it was placed, or taken up again after a restart, ms
   */
  countOrder(state: "complete" | "failed", milliseconds: number): void;
}

/** The telemetry of a service; `undefined` if the runtime's is off. */
export function openTelemetry(): Telemetry | undefined {
  const runtime = readRuntimeTelemetry();
  if (!runtime) return undefined;
  const createHistogram = (name: string, description: string) =>
    runtime.meter.createHistogram(name, {
      unit: "s",
      description,
      advice: { explicitBucketBoundaries: BOUNDS },
    });
  const requests = createHistogram(
    "vindkit.request.duration",
    "Time until the headers of the answer, by operation and status; the count is the number of requests",
  );
  const orders = createHistogram(
    "vindkit.order.duration",
    "Time from a climate order to its file, by result",
  );
  return {
    countAnswer: ({ operation, method, status, milliseconds }) => {
      const route = templates.get(operation);
      requests.record(milliseconds / 1000, {
        "vindkit.operation": operation,
        "http.request.method": method,
        "http.response.status_code": BigInt(status), // a number would become a float
        ...(route === undefined ? {} : { "http.route": route }),
      });
    },
    countOrder: (state, milliseconds) =>
      orders.record(milliseconds / 1000, { "vindkit.order.state": state }),
  };
}

/**
 * Refuses to listen while the runtime creates its own spans: they contain the full address of each request, with serial
 * numbers, e-mails and the tokens of download addresses. They cannot be cleaned: setting an attribute again exports
 * both values.
 *
 * @throws {ConfigurationError} If the runtime creates spans
 */
export function refuseRuntimeSpans(): void {
  if (!readRuntimeTelemetry()?.tracing) return;
  throw new ConfigurationError(
    "Cannot listen: OpenTelemetry is on, so Deno would export the URL of each request. These URLs contain serial numbers, e-mail addresses and download tokens. Set OTEL_DENO_TRACING=false. Deno then still exports the service's metrics, which contain no URLs",
  );
}
