import { z } from "zod";
import { writeAtomically } from "../../disk/atomic_write.ts";
import { preparePrivateFolder } from "../../disk/private_folder.ts";
import { sha256 } from "../../disk/sha256.ts";
import { ConfigurationError } from "../../api/errors.ts";
import { listMonths } from "./months.ts";
import { parseJson } from "./source_link.ts";

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/);
const fileSchema = z.strictObject({
  /** First and last month that it was asked for. */
  months: z.tuple([month, month]),
  /** Its SHA-256, hexadecimal. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  /** When it was asked for, ISO 8601 UTC: hours that were preliminary then may be in it. */
  asked_at: z.iso.datetime(),
  /** Warnings of the service. */
  notes: z.array(z.string()),
});
const listSchema = z.strictObject({ point: z.string(), files: z.array(fileSchema) });

/** A stored file: as it was received, of months of one grid point or several. */
export type StoredFile = z.infer<typeof fileSchema>;

/** Finds the latest file of a month. */
export function findFile(
  files: readonly StoredFile[],
  month: Temporal.PlainYearMonth,
): StoredFile | undefined {
  const text = month.toString();
  return files.findLast(({ months: [first, last] }) => first <= text && text <= last);
}

/** Whether a file is the latest of any month. */
function isNeeded(file: StoredFile, files: readonly StoredFile[]): boolean {
  const [first, last] = file.months.map((text) => Temporal.PlainYearMonth.from(text));
  return listMonths({ first, last }).some((month) => findFile(files, month) === file);
}

/** The files of grid points on the disk: a list for each point, the latest file last. */
export class PointFiles {
  readonly #folder: string;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /**
   * Opens the lists.
   *
   * @param home Home folder
   * @throws {ConfigurationError} If other users can write to them
   */
  static async open(home: string): Promise<PointFiles> {
    const folder = `${home}/cache/points`;
    const problem = await preparePrivateFolder(folder);
    if (problem === null) return new PointFiles(folder);
    throw new ConfigurationError(`Cannot use the cache in ${folder}: ${problem}`);
  }

  /** Reads the list of a point; it is empty if there is none, or it was altered. */
  async read(point: string): Promise<readonly StoredFile[]> {
    let text: string;
    try {
      text = await Deno.readTextFile(this.#pathOf(point));
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return [];
      throw error;
    }
    const { data } = listSchema.safeParse(parseJson(text));
    return data?.point === point ? data.files : [];
  }

  /** Adds a file to the list of a point. The caller has the lock of the service. */
  async add(point: string, file: StoredFile): Promise<void> {
    const all = [...await this.read(point), file];
    const list = { point, files: all.filter((one) => isNeeded(one, all)) };
    const bytes = new TextEncoder().encode(JSON.stringify(list, null, 2) + "\n");
    await writeAtomically(this.#pathOf(point), bytes);
  }

  #pathOf(point: string): string {
    return `${this.#folder}/${sha256(point)}.json`;
  }
}
