import pl, { type DataFrame } from "nodejs-polars";
import type { World } from "../../api/world.ts";
import { describeFrame, type Provenance, provenance } from "../../frames/provenance.ts";
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

/** The origin of a page: that of the report, with the worlds and attributions of the frames on the page. */
export function findOrigin(
  report: ReportOrigin,
  frames: readonly (DataFrame | undefined)[],
): ReportOrigin {
  const known = frames.flatMap((frame) => frame && provenance(frame) || []);
  const attribution = [...report.attribution, ...known.flatMap((one) => one.attribution)];
  return {
    ...report,
    world: known.some((one) => one.world === "sample") ? "sample" : report.world,
    attribution: [...new Set(attribution)],
  };
}

/**
 * A frame whose provenance a chart states: that of the frame it shows, or else that of the page.
 * On a page of the sample it is the sample's, so that no chart of it is mistaken for real.
 */
export function findSource(
  frame: DataFrame | undefined,
  page: ReportOrigin,
  operation: string,
): DataFrame {
  const own = frame && provenance(frame);
  if (frame && own && (own.world === "sample" || page.world !== "sample")) return frame;
  return describeFrame(pl.DataFrame(), [], {
    operation: own?.operation ?? operation,
    parameters: own?.parameters ?? {},
    fetchedAt: own?.fetchedAt ?? page.generatedAt,
    sha256: own?.sha256 ?? [],
    world: page.world,
    attribution: own?.attribution ?? page.attribution,
  });
}

/** What is known of a frame's origin, for a footer or a JSON file. */
export interface SourceFacts {
  /** What came from there. */
  readonly what: string;
  /** Origin, or `null` where it is not stated. */
  readonly origin:
    | Pick<
      Provenance,
      "operation" | "parameters" | "world" | "fetchedAt" | "sha256"
    >
    | null;
}

/** Origin of a frame. */
export function readSourceFacts(what: string, frame: DataFrame): SourceFacts {
  const own = provenance(frame);
  if (!own) return { what, origin: null };
  const { operation, parameters, world, fetchedAt, sha256 } = own;
  return { what, origin: { operation, parameters, world, fetchedAt, sha256 } };
}

/** A moment to the second: "2026-01-05T10:00:00Z". */
export function formatStamp(at: string): string {
  return at.replace(/\.\d+Z$/, "Z");
}

/** One line on where a frame comes from, complete with its hashes. */
export function formatSource({ what, origin }: SourceFacts): string {
  const words = messages.sources;
  if (!origin) return words.what(what, words.unknown);
  const parameters = Object.entries(origin.parameters)
    .map(([name, value]) => `${name}=${value}`).join(", ");
  const { operation, world, fetchedAt, sha256 } = origin;
  return words.what(
    what,
    words.line(operation, parameters, world, formatStamp(fetchedAt), sha256.join(" ")),
  );
}
