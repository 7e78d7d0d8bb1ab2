/** How the bytes of a response are compressed, by its name in HTTP. */
export type Encoding = 'br' | 'gzip';

const byPreference: readonly Encoding[] = ['br', 'gzip'];
const otherNames: Readonly<Record<string, string>> = { 'x-gzip': 'gzip' };

/** The encoding of `offered` that an Accept-Encoding header prefers (RFC 9110, 12.5.3); null to send the bytes as they are. */
export function chosenEncoding(
  accepted: string | null | undefined,
  offered: readonly Encoding[] = byPreference,
): Encoding | null {
  if (!accepted) return null;
  const weights = weightsOf(accepted);
  let best: Encoding | null = null;
  // Uncompressed is always possible, but preferred only if the header says so.
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of byPreference) {
    const weight = weights.get(encoding) ?? weights.get('*') ?? 0;
    const isBetter = weight > bestWeight || (best === null && weight === bestWeight && weight > 0);
    if (!offered.includes(encoding) || !isBetter) continue;
    best = encoding;
    bestWeight = weight;
  }
  return best;
}

function weightsOf(accepted: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== '') weights.set(otherNames[name] ?? name, weightOf(parameters));
  }
  return weights;
}

/** A weight that cannot be read counts as a refusal. */
function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((parameter) => /^q\s*=/.test(parameter))?.replace(/^q\s*=\s*/, '');
  if (text === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(text) ? Number(text) : 0;
}
