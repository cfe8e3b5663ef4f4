/** Parameters of a call for model data, by wire name. */
export interface ModelDataCall {
  /** Identifier of the turbine. */
  readonly turbine_id: string;
  /** First day. */
  readonly start_date: string;
  /** Day before which data end. */
  readonly end_date: string;
}
