import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";

/** Action of a performance check, for messages. */
export const WHAT = "check the performance";

/** Ends a performance check with an error: what is wrong with the input, and what to do. */
export const refuse: Refuse = buildRefuse(WHAT);
