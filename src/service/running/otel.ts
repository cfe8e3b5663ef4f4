/** Values of attributes. */
type Attributes = Readonly<Record<string, string | number | bigint>>;

/** The used part of an OpenTelemetry histogram. */
interface Histogram {
  /** Adds a value. */
  record(value: number, attributes?: Attributes): void;
}

/** The used part of an OpenTelemetry meter. */
interface Meter {
  /** Creates a histogram. */
  createHistogram(
    name: string,
    options: { unit: string; description: string; advice?: { explicitBucketBoundaries: number[] } },
  ): Histogram;
}

/** The used part of an OpenTelemetry span. */
interface Span {
  /** Sets the result; 2 is an error. */
  setStatus(status: { code: 0 | 1 | 2 }): void;
  /** Ends it at an instant, ms since 1970. */
  end(instant: number): void;
}

/** The used part of an OpenTelemetry tracer; kind 1 is a server's span. */
interface Tracer {
  /** Begins a span at an instant, ms since 1970. */
  startSpan(
    name: string,
    options: { kind: 1; startTime: number; attributes: Attributes; root: true },
  ): Span;
}

/** Telemetry of the runtime, where it is switched on. */
export interface RuntimeTelemetry {
  /** Whether it creates its own span for each request. */
  readonly tracing: boolean;
  /** Creates metrics. */
  readonly meter: Meter;
  /** Creates spans. */
  readonly tracer: Tracer;
}

/** Registry of the OpenTelemetry API, in which the runtime stores its providers where they are switched on. */
const REGISTRY = Symbol.for("opentelemetry.js.api.1");

/**
 * Reads the runtime's OpenTelemetry. Its providers are used directly: `@opentelemetry/api` would return silent ones
 * where the runtime's own spans are off, and this service has to run without those (see `telemetry.ts`).
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
