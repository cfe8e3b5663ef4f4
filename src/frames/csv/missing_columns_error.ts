import { DataFormatError } from "../../api/errors.ts";

/** A table lacks columns: it is a table, but not this one. */
export class MissingColumnsError extends DataFormatError {
  override name = "DataFormatError"; // callers know that class
}
