/** What the signature debugger answers, as far as the page shows it. */
export interface Mistake {
  readonly code: string;
  readonly title: string;
  readonly text: string;
  readonly fix: string;
}

export interface Excerpt {
  readonly bytes: number;
  readonly hex: string;
  readonly text: string;
}

export interface DebugAnswer {
  readonly valid: boolean;
  readonly verdict: string;
  readonly checks: readonly {
    readonly code: string;
    readonly status: 'passed' | 'failed' | 'not_reached';
    readonly text: string;
  }[];
  readonly mistake: Mistake | null;
  readonly further_mistakes: readonly Mistake[];
  readonly fix: { readonly text: string; readonly code: Readonly<Record<string, string>> } | null;
  readonly string_to_sign: { readonly text: string; readonly is_cut: boolean; readonly bytes: number };
  readonly clock: { readonly text: string; readonly within_tolerance: boolean } | null;
  readonly difference: {
    readonly offset: number;
    readonly arrived: Excerpt;
    readonly signed: Excerpt;
  } | null;
  readonly attempts: number;
}

/** One request to look into, in one of the ways that the API takes. */
export interface DebugQuestion {
  readonly rejection_id?: string;
  readonly raw_request?: string;
  readonly curl?: string;
  readonly timestamp?: string;
  readonly signature?: string;
  readonly body?: string;
  readonly try_secret?: string;
}
