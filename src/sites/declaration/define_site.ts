import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { isFrame } from "../../show/check_frame.ts";
import { DEFAULT_DATASET } from "./climate_rules.ts";
import { FrameFiles, NO_FILE } from "./frame_files.ts";
import { buildSite, type Site } from "./site.ts";
import type {
  ClimateDefinition,
  ProductionDefinition,
  ReanalysisDefinition,
  ReanalysisSource,
  SiteDefinition,
  TurbineDefinition,
} from "./site_definition.ts";
import { formatSiteFile, parseSite } from "./site_file.ts";

/** Maps a list and passes on anything else: notebooks check no types, and the schema reports it later. */
function mapList<T, O = never>(
  values: readonly T[] | O,
  change: (one: T, i: number) => T,
): readonly T[] | O {
  return Array.isArray(values) ? values.map(change) : values;
}

/** Replaces the frames of a definition by files; reports and leaves out frames that cannot be replaced. */
class FrameReplacer {
  readonly files: FrameFiles;
  /** Problems, each with its place. */
  readonly problems: string[] = [];

  constructor(site: string) {
    this.files = new FrameFiles(site);
  }

  #try<T>(place: string, make: () => T, fallback: T): T {
    try {
      return make();
    } catch (cause) {
      if (!(cause instanceof ArgumentError)) throw cause;
      this.problems.push(`${place}: ${cause.message}`);
      return fallback;
    }
  }

  /** Returns the reanalysis with files instead of frames, and with the frames' attributions if it names none. */
  replaceReanalysis<T extends Omit<ReanalysisDefinition, "dataset">>(
    reanalysis: T & { readonly dataset?: ReanalysisDefinition["dataset"] },
    place: string,
  ): T {
    const { climate, dataset = DEFAULT_DATASET } = reanalysis;
    const frames = Array.isArray(climate) ? climate.map((one) => one?.frame) : [];
    if (isFrame(climate)) {
      this.problems.push(
        `${place}climate: is a frame. Give a list, [{ frame, latitude, longitude, stamp }]`,
      );
      return { ...reanalysis, climate: [{ files: [NO_FILE], stamp: "instant" }] };
    }
    const attribution = joinOrigins(frames).flatMap((source) => source.attribution);
    return {
      ...reanalysis,
      climate: mapList<ClimateDefinition, ReanalysisSource>(climate, (source, i) => {
        const at = `${place}climate[${i}]`;
        if (isFrame(source)) {
          this.problems.push(`${at}: is a frame. Give { frame, latitude, longitude, stamp }`);
          return { files: [NO_FILE], stamp: "instant" };
        }
        if (typeof source !== "object" || source?.frame === undefined) return source;
        const { frame: _, ...rest } = source;
        return this.#try(at, () => this.files.declareClimate(source), {
          ...rest,
          files: [NO_FILE],
        });
      }),
      ...(attribution.length > 0 && dataset?.attribution === undefined
        ? { dataset: { ...dataset, attribution: [...new Set(attribution)] } }
        : {}),
    };
  }

  /** Rejects frames in a list of production files. */
  #refuseFrames(entries: readonly ProductionDefinition[], place: string) {
    return mapList<ProductionDefinition>(entries, (one, i) => {
      if (!isFrame(one)) return one;
      this.problems.push(`${place}[${i}]: is a frame. Give the frame itself, not a list of it`);
      return { file: NO_FILE, preset: "greenbyte" };
    });
  }

  /** Returns the turbines with files instead of production frames. */
  replaceProduction({ turbines, production }: SiteDefinition): Partial<SiteDefinition> {
    const ids = Array.isArray(turbines) ? turbines.map((one) => one?.id) : [];
    const shared = isFrame(production)
      ? this.#try("production", () => this.files.declareProduction(production, ids), new Map())
      : new Map();
    return {
      turbines: mapList<TurbineDefinition>(turbines, (turbine, i) => {
        const turbineProduction = turbine?.production;
        const files = isFrame(turbineProduction)
          ? this.#try(
            `turbines[${i}].production`,
            () => [...this.files.declareProduction(turbineProduction, [turbine.id]).values()],
            [],
          )
          : turbineProduction && this.#refuseFrames(turbineProduction, `turbines[${i}].production`);
        const common = shared.get(turbine?.id);
        if (!common) {
          return files === turbineProduction ? turbine : { ...turbine, production: files };
        }
        return { ...turbine, production: [...Array.isArray(files) ? files : [], common] };
      }),
      ...(production === undefined ? {} : {
        production: isFrame(production) ? undefined : this.#refuseFrames(production, "production"),
      }),
    };
  }
}

/**
 * Defines a site in a program: climate, turbines and production as frames or files. Fields and checks are the same as
 * in a site file; `importSite()` reads the files.
 *
 * @param definition The site; paths are relative to the current folder
 * @returns The site, for `importSite()` and `saveSite()`
 * @throws {ArgumentError} If the definition is not valid; the message lists all problems, each with its place, the
 * value found and the remedy
 *
 * @example Frames, and a power curve estimated from rated power and rotor diameter
 * ```ts
 * import { connect, exampleFile, monthlyIndices, readFrame, readProduction } from "@vindkit/vindkit";
 * import { defineSite, importSite, parametricPowerCurve } from "@vindkit/vindkit/sites";
 * import { assert } from "@std/assert";
 *
 * const climate = await readFrame(await exampleFile("climate.csv"));
 * const speed = (column: string) => ({ column, unit: "m/s" });
 * const direction = (column: string) => ({ column, unit: "deg" });
 * const site = defineSite({
 *   site: "hill",
 *   climate: [{
 *     frame: climate,
 *     latitude: 55.5,
 *     longitude: 8,
 *     stamp: "instant",
 *     variables: {
 *       wind_speed_100: speed("wind_speed_100"),
 *       wind_direction_100: direction("wind_direction_100"),
 *       wind_speed_10: speed("wind_speed_10"),
 *       wind_direction_10: direction("wind_direction_10"),
 *     },
 *   }],
 *   turbines: [{
 *     id: "H1",
 *     name: "Hill 1",
 *     latitude: 55.6,
 *     longitude: 7.92,
 *     elevation: 0,
 *     hub_height: 80,
 *     rotor_diameter: 92,
 *     rated_power: 2300,
 *     time_zone: "Europe/Copenhagen",
 *     power_control: "pcPitch",
 *     power_curve: parametricPowerCurve({ ratedPower: 2300, rotorDiameter: 92 }),
 *     production: await readProduction(await exampleFile("production.csv"), {
 *       column: "power",
 *       time: "time",
 *       resolution: "hour",
 *       unit: "kW",
 *     }),
 *   }],
 * });
 *
 * const data = await Deno.makeTempDir();
 * await importSite(site, { data });
 * await using connection = connect({ data });
 * assert((await monthlyIndices("H1", { connection })).height >= 240);
 * ```
 */
export function defineSite(definition: SiteDefinition): Site {
  const act = "define a site";
  if (typeof definition !== "object" || definition === null) {
    throw new ArgumentError(
      `Cannot ${act}: its definition is ${
        describeValue(definition)
      }. Give an object with site, climate ` +
        "and turbines",
    );
  }
  const frames = new FrameReplacer(String(definition.site));
  const document = {
    ...frames.replaceReanalysis(definition, ""),
    ...(definition.other_reanalyses
      ? {
        other_reanalyses: mapList(
          definition.other_reanalyses,
          (one, i) => one && frames.replaceReanalysis(one, `other_reanalyses[${i}].`),
        ),
      }
      : {}),
    ...frames.replaceProduction(definition),
  };
  const declared = parseSite(document, act, frames.problems);
  return buildSite({
    declared,
    document,
    text: formatSiteFile(document),
    label: `the site ${declared.site}`,
    folder: ".",
    frames: frames.files.frames,
  });
}
