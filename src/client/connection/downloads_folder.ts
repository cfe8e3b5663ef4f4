import { ConfigurationError } from "../../api/errors.ts";
import { preparePrivateFolder } from "../../disk/private_folder.ts";

/**
 * Folder in which downloads grow until they are whole.
 *
 * @param home Home folder
 * @throws {ConfigurationError} If it cannot be written to, or others may
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
