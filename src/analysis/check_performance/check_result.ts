/** A month or a year of a performance check; energies in MWh, missing is NaN. */
export interface PeriodResult {
  /** Position of the month on the line of all months, or the year. */
  readonly number: number;
  /** "2018-05", or "2018". */
  readonly label: string;
  /** Hours of the period. */
  readonly hours: number;
  /** Hours compared, where both sides are hourly. */
  readonly compared: number;
  /** Share of the hours that the comparison rests on. */
  readonly completeness: number;
  /** Produced energy, in the hours compared or in the whole period. */
  readonly produced: number;
  /** Energy to be expected for the same: the model's, or the production's own normal. */
  readonly predicted: number;
  /** Energy of a normal period of that name, scaled to the hours compared. */
  readonly normal: number;
  /** What the air density of the period added to the prediction. */
  readonly density: number;
  /** Produced over predicted energy outside of outages, as a share. */
  readonly running: number;
  /** Energy lost in outages. */
  readonly lost: number;
  /** Whether it fell so far short of the others that it was found to be an outage. */
  readonly short: boolean;
}

/** How an outage is known. */
export type OutageSource = "named" | "status" | "detected" | "neighbours";

/** An outage and what was lost in it; energies in MWh, missing is NaN. */
export interface OutageResult {
  /** What it is called. */
  readonly name: string;
  /** Start, milliseconds since 1970 UTC. */
  readonly from: number;
  /** End, exclusive, milliseconds since 1970 UTC. */
  readonly to: number;
  /** How it is known. */
  readonly source: OutageSource;
  /** Share of its hours in which both sides are known. */
  readonly completeness: number;
  /** What the turbine would have made in the share of the time in which it was not available. */
  readonly expected: number;
  /** What it made there. */
  readonly produced: number;
  /** The difference. */
  readonly lost: number;
  /** Lower end of its 90 % interval. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

/** What a check of hours or of periods gives. */
export interface CheckResult {
  /** Kind of the periods. */
  readonly by: "month" | "year";
  /** Whether hours were compared with hours. */
  readonly hourly: boolean;
  /** Zone whose calendar counts. */
  readonly timeZone: string;
  /** The periods in order of time. */
  readonly periods: readonly PeriodResult[];
  /** The outages in order of time. */
  readonly outages: readonly OutageResult[];
  /** Whether a share of availability or a detection tells what stops cost; else only whole periods would show. */
  readonly stopsSeen: boolean;
  /** Produced over predicted energy while the turbine ran: what losses are scaled by. */
  readonly normalRatio: number;
  /** How the intervals of losses came about, where there are any. */
  readonly method: string;
  /** What was left out and what could not be told. */
  readonly notes: readonly string[];
}
