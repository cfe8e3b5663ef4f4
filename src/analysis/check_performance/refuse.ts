import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";

/** What a performance check does, for messages. */
export const WHAT = "check the performance";

/** Ends a performance check: says what is wrong with what it was given, and what to do. */
export const refuse: Refuse = buildRefuse(WHAT);
