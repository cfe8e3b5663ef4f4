/** Time for which a licence that asked for something is taken to ask again, ms. */
const RECENT = 250;

/** Who has asked for something of late: the last one, and the last one before that was another. */
export class RecentTurns {
  #last = { turn: "", at: -Infinity };
  #other = { turn: "", at: -Infinity };

  /**
   * Takes down that something was asked.
   *
   * @param turn Whose turn it takes
   * @param at When, ms
   */
  add(turn: string, at: number): void {
    if (turn !== this.#last.turn) this.#other = this.#last;
    this.#last = { turn, at };
  }

  /**
   * Whether any other has asked for something of late.
   *
   * @param turn Who is not meant
   * @param now The present, ms
   */
  hasOther(turn: string, now: number): boolean {
    const other = this.#last.turn === turn ? this.#other : this.#last;
    return now - other.at < RECENT;
  }
}
