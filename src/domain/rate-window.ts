/** Accepted submissions per workspace and surface. The windows themselves live in PostgreSQL (ingest_commit). */
export const submissionsPerMinuteMax = 1_000;
export const submissionsPerDayMax = 50_000;

export interface RateLimits {
  readonly perMinuteMax: number;
  readonly perDayMax: number;
}

export const rateLimits: RateLimits = {
  perMinuteMax: submissionsPerMinuteMax,
  perDayMax: submissionsPerDayMax,
};
