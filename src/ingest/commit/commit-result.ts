/** What became of a lead that was to be stored, and so what its sender is told. */
export type CommitResult =
  | { readonly kind: 'stored'; readonly submissionId: string }
  | { readonly kind: 'duplicate'; readonly submissionId: string; readonly isSameBody: boolean }
  | { readonly kind: 'rate_limited'; readonly reason: 'rate_limited_minute' | 'rate_limited_day' }
  /** Neither PostgreSQL nor the spool took it for certain, so nothing may be answered. */
  | { readonly kind: 'unavailable' };
