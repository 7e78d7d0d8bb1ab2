/** The probability of `hits` or more in `trials` that each hit with the given probability. */
export function binomialTail(hits: number, trials: number, probability: number): number {
  if (hits <= 0) return 1;
  if (hits > trials || probability <= 0) return 0;
  if (probability >= 1) return 1;
  // Away from the mean the terms only get smaller, so a sum that starts there loses nothing, however small it is.
  const odds = probability / (1 - probability);
  if (hits > trials * probability)
    return sumOfTerms(
      Math.exp(logTerm(hits, trials, probability)),
      hits,
      (at) => ((trials - at) / (at + 1)) * odds,
      +1,
    );
  const below = sumOfTerms(
    Math.exp(logTerm(hits - 1, trials, probability)),
    hits - 1,
    (at) => at / (trials - at + 1) / odds,
    -1,
  );
  return Math.max(0, 1 - below);
}

/** `ratio` says how large the next term is compared with the one at a place; it ends with a ratio of 0. */
function sumOfTerms(first: number, from: number, ratio: (at: number) => number, step: 1 | -1): number {
  let sum = first;
  let term = first;
  for (let at = from; ; at += step) {
    term *= ratio(at);
    if (term <= sum * Number.EPSILON) return sum;
    sum += term;
  }
}

function logTerm(hits: number, trials: number, probability: number): number {
  const ways = logFactorial(trials) - logFactorial(hits) - logFactorial(trials - hits);
  return ways + hits * Math.log(probability) + (trials - hits) * Math.log1p(-probability);
}

const exactMax = 32;

/** Stirling's series, which is exact to the last digits of a number from here on. */
function logFactorial(n: number): number {
  if (n < exactMax) {
    let product = 1;
    for (let factor = 2; factor <= n; factor++) product *= factor;
    return Math.log(product);
  }
  const x = n + 1;
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
  return (x - 0.5) * Math.log(x) - x + 0.5 * Math.log(2 * Math.PI) + series;
}
