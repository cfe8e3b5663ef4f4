import pl, { type DataFrame } from "nodejs-polars";
import type { World } from "../api/world.ts";
import { describeFrame, type Provenance, provenance } from "../frames/provenance.ts";
import { type Markup, markup } from "./_markup.ts";
import { messages } from "./_messages.ts";

/** Origin of a whole page. */
export interface PageOrigin {
  /** Sample, own data or a live service; the sample as soon as one frame is from it. */
  readonly world: World;
  /** Attributions that the data require. */
  readonly attribution: readonly string[];
  /** When the page was made, ISO 8601 UTC. */
  readonly generatedAt: string;
}

/**
 * A frame whose provenance a chart states: that of the frame it shows, or else that of the page.
 * On a page of the sample it is the sample's, so that no chart of it can be taken for real.
 */
export function sourceFor(
  frame: DataFrame | undefined,
  page: PageOrigin,
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

function parametersText({ parameters }: Provenance): string {
  return Object.entries(parameters).map(([name, value]) => `${name}=${value}`).join(", ");
}

/** One line on where a frame comes from, complete with its hash. */
export function sourceLine(what: string, frame: DataFrame): Markup {
  const own = provenance(frame);
  if (!own) return markup`<li>${what}: ${messages.unknownSource}</li>`;
  const hash = own.sha256.length === 0 ? "" : `, sha256 ${own.sha256.join(" ")}`;
  const text = `${own.operation}(${parametersText(own)}), world ${own.world}, ` +
    `fetched ${own.fetchedAt}${hash}`;
  return markup`<li>${what}: ${text}</li>`;
}
