import pl, { type DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { coverageList, turbineId } from "../../api/columns/columns.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { readNumbers, type Refuse } from "../../frames/read_columns.ts";
import { isFrame } from "../../show/check_frame.ts";
import type { Stamp } from "../../windindex/climate/climate.ts";
import type { Location } from "../../windindex/climate/site_weights.ts";

const [latitudeColumn, longitudeColumn] = pickColumns(coverageList, ["latitude", "longitude"]);

/** A reference to compare. */
export interface ReferenceCandidate {
  /** Its name. */
  readonly name: string;
  /**
   * Hours (`time` with a zone) or months (`month`) of wind or power; with `latitude` and `longitude` it may have
   * several points, with `turbine_id` several turbines.
   */
  readonly frame: DataFrame;
  /** Latitude of its point, deg, as in `coverage()`. @default the frame's, or unknown */
  readonly latitude?: number;
  /** Longitude of its point, deg. @default the frame's, or unknown */
  readonly longitude?: number;
  /** Column to compare. @default the wind at the greatest height, else power */
  readonly column?: string;
  /**
   * Whether a timestamp marks the instant of a value, or the start of the hour of a mean. @default {"instant"} for
   * wind, `"start"` for everything else
   */
  readonly stamp?: Stamp;
}

/** A candidate of one point. */
export interface SingleCandidate extends Omit<ReferenceCandidate, "latitude" | "longitude"> {
  /** Its location; `undefined` if unknown. */
  readonly place: Location | undefined;
}

/** Rejects a latitude or longitude out of range. */
export function assertPlace({ latitude, longitude }: Location, refuse: Refuse): void {
  if (Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360) return;
  refuse(
    `latitude ${latitude} and longitude ${longitude} are not a place on Earth. Give degrees, positive north and east`,
  );
}

/** Formats a location for names: "55.5 N 7.75 E". */
function formatPlace({ latitude, longitude }: Location): string {
  return `${Math.abs(latitude)} ${latitude < 0 ? "S" : "N"} ${Math.abs(longitude)} ${
    longitude < 0 ? "W" : "E"
  }`;
}

/** Lists the points of a frame with columns of latitude and longitude. */
function listPoints(frame: DataFrame, refuse: Refuse): Location[] {
  const names = [latitudeColumn.name, longitudeColumn.name];
  if (!names.every((name) => frame.columns.includes(name))) return [];
  const points = frame.select(...names).unique({ maintainOrder: true });
  const [latitudes, longitudes] = names.map((name) => readNumbers(points, name, refuse));
  const known = [...latitudes].map((latitude, i) => ({ latitude, longitude: longitudes[i] }));
  if (known.some(({ latitude, longitude }) => Number.isNaN(latitude) || Number.isNaN(longitude))) {
    refuse(
      `a row has no value of "${names[0]}" or "${
        names[1]
      }". Filter out the rows without these values`,
    );
  }
  return known;
}

/** Splits a candidate into its points and turbines. */
function splitCandidate(candidate: ReferenceCandidate, refuse: Refuse): SingleCandidate[] {
  const { name, frame, latitude, longitude } = candidate;
  if ((latitude === undefined) !== (longitude === undefined)) {
    refuse("only one of latitude and longitude is given. Give both of them, or omit both");
  }
  const declaredPlace = latitude === undefined || longitude === undefined
    ? undefined
    : { latitude, longitude };
  if (declaredPlace) assertPlace(declaredPlace, refuse);
  const turbines = frame.columns.includes(turbineId.name)
    ? [...new Set(frame.getColumn(turbineId.name).toArray() as string[])]
    : [];
  const byTurbine = turbines.length < 2 ? [{ name, frame }] : turbines.map((id) => ({
    name: `${name} ${id}`,
    frame: frame.filter(pl.col(turbineId.name).eq(pl.lit(id))),
  }));
  return byTurbine.flatMap((single) => {
    const points = listPoints(single.frame, refuse);
    if (points.length < 2) return [{ ...candidate, ...single, place: declaredPlace ?? points[0] }];
    if (declaredPlace) {
      refuse(
        `the frame has ${points.length} points, so it cannot have one location. Omit latitude and longitude`,
      );
    }
    return points.map((place) => ({
      ...candidate,
      name: `${single.name} ${formatPlace(place)}`,
      frame: single.frame.filter(
        pl.col(latitudeColumn.name).eq(pl.lit(place.latitude))
          .and(pl.col(longitudeColumn.name).eq(pl.lit(place.longitude))),
      ),
      place,
    }));
  });
}

/**
 * Splits candidates whose frames have several points or turbines.
 *
 * @param candidates A list, or frames by name
 * @param refusing Builds the errors of a candidate
 */
export function splitCandidates(
  candidates: readonly ReferenceCandidate[] | Readonly<Record<string, DataFrame>>,
  refusing: (name: string) => Refuse,
): SingleCandidate[] {
  if (typeof candidates !== "object" || candidates === null || isFrame(candidates)) {
    throw new ArgumentError(
      `Cannot compare references: the second argument is ${
        describeValue(candidates)
      }, but must be an object with a frame for each candidate, such as { "ERA5": frame }. Get the frames from modelData() or orderAndWait()`,
    );
  }
  const list: readonly ReferenceCandidate[] = Array.isArray(candidates)
    ? candidates
    : Object.entries(candidates).map(([name, frame]) => ({ name, frame }));
  return list.flatMap((candidate) => splitCandidate(candidate, refusing(candidate.name)));
}
