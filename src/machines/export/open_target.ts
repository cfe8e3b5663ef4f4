import { ArgumentError } from "../../api/errors.ts";
import { explainDenial } from "../../storage/explain_denial.ts";
import type { S3Environment } from "../s3/s3_variables.ts";
import type { ExportTarget } from "./export_target.ts";
import { FolderTarget } from "./folder_target.ts";

/**
 * Opens where an export is written; what speaks to an object store is loaded only for one.
 *
 * @param address Path of a folder, or address such as `s3://bucket/prefix`
 * @param variables Reads the variables that say where an object store is, and its credentials
 * @throws {ArgumentError} If it is an address of another kind
 * @throws {ConfigurationError} If an object store cannot be opened
 * @throws {PassingError} If it does not answer
 */
export async function openTarget(
  address: string,
  variables: S3Environment = (name) => Deno.env.get(name),
): Promise<ExportTarget> {
  const [scheme] = /^[a-z][a-z0-9+.-]*:\/\//i.exec(address) ?? [];
  if (scheme === undefined) return new FolderTarget(address);
  if (scheme !== "s3://") {
    throw new ArgumentError(
      `Cannot export to an address that begins with ${scheme}: name a folder, or an object store ` +
        "as s3://bucket/prefix",
    );
  }
  const [{ openBucket }, { S3Target }] = await Promise.all([
    import("../s3/open_bucket.ts"),
    import("./s3_target.ts"),
  ]);
  try {
    return new S3Target(await openBucket(address, variables));
  } catch (error) {
    throw explainDenial(error, address);
  }
}
