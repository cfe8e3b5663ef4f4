import { DataFormatError } from "../../api/errors.ts";

/** The content is a table, but lacks required columns. */
export class MissingColumnsError extends DataFormatError {
  override name = "DataFormatError"; // the class that the documentation names
}
