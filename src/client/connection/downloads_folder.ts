import { ConfigurationError } from "../../api/errors.ts";
import { preparePrivateFolder } from "../../disk/private_path.ts";

/**
 * Prepares the folder in which downloads grow until they are complete.
 *
 * @throws {ConfigurationError} If it is not writable, or other users can write to it
 */
export async function prepareDownloadsFolder(home: string): Promise<string> {
  const folder = `${home}/downloads`;
  let problem: string | null;
  try {
    problem = await preparePrivateFolder(folder);
  } catch (cause) {
    problem = (cause as Error).message;
  }
  if (problem === null) return folder;
  throw new ConfigurationError(`Cannot save downloads in ${folder}: ${problem}`, {
    hint: "Let VINDKIT_HOME name a folder of your own",
  });
}
