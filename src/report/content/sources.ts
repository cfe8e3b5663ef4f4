import pl, { type DataFrame } from "nodejs-polars";
import type { World } from "../../api/world.ts";
import {
  describeFrame,
  joinOrigins,
  type Provenance,
  provenance,
} from "../../frames/origin/provenance.ts";
import { messages } from "./messages.ts";

/** Origin of a whole report. */
export interface ReportOrigin {
  /** Sample, own data or a live service; the sample as soon as one frame is from it. */
  readonly world: World;
  /** Attributions that the data require. */
  readonly attribution: readonly string[];
  /** When the report was made, ISO 8601 UTC. */
  readonly generatedAt: string;
}

/** Origin of a page: the report's, with the worlds and attributions of the frames on the page. */
export function findOrigin(
  report: ReportOrigin,
  frames: readonly (DataFrame | undefined)[],
): ReportOrigin {
  const origins = joinOrigins(frames);
  const attribution = [...report.attribution, ...origins.flatMap((one) => one.attribution)];
  return {
    ...report,
    world: origins.some((one) => one.world === "sample") ? "sample" : report.world,
    attribution: [...new Set(attribution)],
  };
}

/**
 * The frame whose provenance a chart states: the frame it shows, or else the page's. On a page of the sample it is the
 * sample's, so no chart of it passes for real.
 */
export function findSource(
  frame: DataFrame | undefined,
  page: ReportOrigin,
  operation: string,
): DataFrame {
  const origins = joinOrigins([frame]);
  const sample = origins.some(({ world }) => world === "sample");
  if (frame && origins.length > 0 && (sample || page.world !== "sample")) return frame;
  const { world, attribution, generatedAt: fetchedAt } = page;
  return describeFrame(
    pl.DataFrame(),
    [],
    origins.length > 0
      ? origins.map((one) => ({ ...one, world }))
      : { operation, parameters: {}, fetchedAt, sha256: [], world, attribution },
  );
}

/** Origin of a frame, for a footer or a JSON file. */
export interface SourceFacts {
  /** Name of the data from this source. */
  readonly what: string;
  /** Its sources; empty if unknown. */
  readonly origin: readonly Pick<
    Provenance,
    "operation" | "parameters" | "world" | "fetchedAt" | "sha256"
  >[];
}

/** Origin of a frame. */
export function readSourceFacts(what: string, frame: DataFrame): SourceFacts {
  const origin = provenance(frame).map(({ operation, parameters, world, fetchedAt, sha256 }) => ({
    operation,
    parameters,
    world,
    ...(fetchedAt !== undefined && { fetchedAt }),
    sha256,
  }));
  return { what, origin };
}

/** An instant to the second: "2026-01-05T10:00:00Z". */
export function formatStamp(at: string): string {
  return at.replace(/\.\d+Z$/, "Z");
}

/** Formats the origin of a frame as one line, complete with its hashes. */
export function formatSource({ what, origin }: SourceFacts): string {
  const words = messages.sources;
  const sources = origin.map(({ operation, parameters, world, fetchedAt, sha256 }) =>
    words.line(
      operation,
      Object.entries(parameters).map(([name, value]) => `${name}=${value}`).join(", "),
      world,
      fetchedAt && formatStamp(fetchedAt),
      sha256.join(" "),
    )
  );
  return words.what(what, sources.join("; ") || words.unknown);
}
