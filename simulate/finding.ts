/** A broken promise, by its name in docs/reliability.md. */
export interface Finding {
  readonly kind:
    | 'lost'
    | 'doubled'
    | 'altered'
    | 'contradicted'
    | 'foreign'
    | 'refused'
    | 'intruded'
    | 'unexplained'
    | 'mute'
    | 'unanswered'
    | 'misdated'
    | 'over the limit'
    | 'miscounted'
    | 'spread'
    | 'stuck'
    | 'untold'
    | 'undelivered'
    | 'unsent'
    | 'renamed'
    | 'unleased'
    | 'leaked'
    | 'late'
    | 'crowded'
    | 'undecided';
  readonly text: string;
}
