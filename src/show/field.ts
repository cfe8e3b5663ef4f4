/** How a field of a record is shown. */
export interface Field {
  /** Short name. @default the name of the field */
  readonly label?: string | undefined;
  /** Unit of the value. */
  readonly unit?: string | undefined;
  /** Decimals. @default two, and four digits below ten */
  readonly decimals?: number | undefined;
  /** What the value means, one sentence. */
  readonly description?: string | undefined;
  /** Formats a list or a structure in a few words; `undefined` to show it as usual. */
  readonly short?: (value: unknown) => string | undefined;
  /** The fields of a structure. */
  readonly fields?: Fields | undefined;
}

/** Fields by name on the record. A map: a service may name a field `__proto__`. */
export type Fields = ReadonlyMap<string, Field>;
