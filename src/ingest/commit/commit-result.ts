/** The result of storing a lead, which decides the response. */
export type CommitResult =
  | { readonly kind: 'stored'; readonly submissionId: string }
  | { readonly kind: 'duplicate'; readonly submissionId: string; readonly isSameBody: boolean }
  | { readonly kind: 'rate_limited'; readonly reason: 'rate_limited_minute' | 'rate_limited_day' }
  /** Neither PostgreSQL nor the spool has confirmed the lead, so the sender gets no response. */
  | { readonly kind: 'unavailable' };
