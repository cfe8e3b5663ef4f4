import type { Files } from "../storage/files/files.ts";
import { FolderFiles } from "../storage/files/folder/folder_files.ts";
import type { S3Environment } from "./s3/s3_variables.ts";

/**
 * Opens files where they are; what speaks to an object store is loaded only for one.
 *
 * @param address Path of a folder, or address such as `s3://bucket/prefix`
 * @param variables Reads the variables that say where an object store is, and its credentials
 * @throws {ConfigurationError} If an object store cannot be opened
 */
export async function openFiles(
  address: string,
  variables: S3Environment = (name) => Deno.env.get(name),
): Promise<Files> {
  if (!address.startsWith("s3:")) return new FolderFiles(address);
  const [{ openBucket }, { S3Files }] = await Promise.all([
    import("./s3/open_bucket.ts"),
    import("./s3/s3_files.ts"),
  ]);
  return new S3Files(await openBucket(address, variables));
}
