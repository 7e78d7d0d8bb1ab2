/**
 * How likely it is that at least `count` happen where `mean` are usual: P(X ≥ count) of a negative binomial distribution with
 * dispersion 2, whose variance is mean + mean² ÷ 2. Requests come in bursts, which a Poisson distribution calls impossible.
 *
 * With p = mean ÷ (mean + 2), the sum of (n + 1) pⁿ (1 − p)² from n = count on is p^count (1 + count (1 − p)). Computed by
 * logarithms, so that neither a large count nor a tiny mean loses digits.
 */
export function negativeBinomialTail(count: number, mean: number): number {
  if (count <= 0) return 1;
  if (mean <= 0) return 0;
  const logP = -Math.log1p(2 / mean);
  return Math.exp(count * logP + Math.log1p((count * 2) / (mean + 2)));
}
