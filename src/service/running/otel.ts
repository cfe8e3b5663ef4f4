type Attributes = Readonly<Record<string, string | number | bigint>>;

/** Telemetry of the runtime, where it is switched on, as far as it is used. */
export interface RuntimeTelemetry {
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
  readonly tracer: {
    /** Begins a span at an instant, ms since 1970; kind 1 is a server's. Status 2 is an error. */
    startSpan(
      name: string,
      options: { kind: 1; startTime: number; attributes: Attributes; root: true },
    ): { setStatus(status: { code: 0 | 1 | 2 }): void; end(instant: number): void };
  };
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
    meter: (meterProvider as { getMeter(name: string): RuntimeTelemetry["meter"] }).getMeter(name),
    tracer: (tracerProvider as { getTracer(name: string): RuntimeTelemetry["tracer"] }).getTracer(
      name,
    ),
  };
}
