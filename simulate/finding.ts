import type { Breakage } from '../chaos/world/broken-build.ts';

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

/** A build that breaks a promise. The simulation has to find it. */
export interface BrokenBuild {
  readonly name: string;
  /** What it must find. */
  readonly finds: Finding['kind'];
  /** What else breaks with it. Anything more is another error, which proves nothing. */
  readonly also?: readonly Finding['kind'][];
  readonly breakages: readonly Breakage[];
}
