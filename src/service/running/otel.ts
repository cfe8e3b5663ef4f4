/** Values of attributes. */
type Attributes = Readonly<Record<string, string | number | bigint>>;

/** What is used of an OpenTelemetry histogram. */
interface Histogram {
  /** Adds a value. */
  record(value: number, attributes?: Attributes): void;
}

/** What is used of an OpenTelemetry meter. */
interface Meter {
  /** Makes a histogram. */
  createHistogram(
    name: string,
    options: { unit: string; description: string; advice?: { explicitBucketBoundaries: number[] } },
  ): Histogram;
}

/** What is used of an OpenTelemetry span. */
interface Span {
  /** Says how it went; 2 is an error. */
  setStatus(status: { code: 0 | 1 | 2 }): void;
  /** Ends it at an instant, ms since 1970. */
  end(instant: number): void;
}

/** What is used of an OpenTelemetry tracer; kind 1 is a server's span. */
interface Tracer {
  /** Begins a span at an instant, ms since 1970. */
  startSpan(
    name: string,
    options: { kind: 1; startTime: number; attributes: Attributes; root: true },
  ): Span;
}

/** What the runtime has switched on. */
export interface RuntimeTelemetry {
  /** Whether it makes spans of its own for each request. */
  readonly tracing: boolean;
  /** Makes metrics. */
  readonly meter: Meter;
  /** Makes spans. */
  readonly tracer: Tracer;
}

/** Where the runtime puts its providers, each where it is switched on: the registry of the OpenTelemetry API. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/**
 * The runtime's OpenTelemetry. Its providers are used as they are: `@opentelemetry/api` would hand out silent ones
 * where the runtime's own spans are off, and that is how this service has to run (see `telemetry.ts`).
 *
 * @param name Name under which metrics and spans are exported
 * @returns `undefined` where it is off
 */
export function readRuntimeTelemetry(name: string): RuntimeTelemetry | undefined {
  const registry =
    (globalThis as { [REGISTRY]?: { trace?: unknown; metrics?: unknown } })[REGISTRY];
  const { tracerProvider, meterProvider } = Deno.telemetry;
  const tracing = registry?.trace !== undefined && registry.trace === tracerProvider;
  const metrics = registry?.metrics !== undefined && registry.metrics === meterProvider;
  if (!tracing && !metrics) return undefined;
  return {
    tracing,
    meter: (meterProvider as { getMeter(name: string): Meter }).getMeter(name),
    tracer: (tracerProvider as { getTracer(name: string): Tracer }).getTracer(name),
  };
}
