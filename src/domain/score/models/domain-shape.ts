/**
 * A linear model over the letters of a domain name. Lists of disposable domains miss those registered yesterday,
 * but their names resemble each other.
 */
export interface DomainShapeModel {
  readonly weights: Int8Array;
  readonly bias: number;
  /** From here on a domain resembles disposable ones; so does one in a hundred company domains. */
  readonly likely: number;
  readonly probable: number;
}

const hashSeed = 0x811c9dc5;
const hashPrime = 0x01000193;

/** `label` is the registered name, `suffix` the public suffix under it: `acme` and `co.uk`. */
export function domainShape(model: DomainShapeModel, label: string, suffix: string): number {
  const mask = model.weights.length - 1;
  let sum = model.bias;
  const count = forEachShapeFeature(label, suffix, (hash) => {
    sum += model.weights[hash & mask] as number;
  });
  return count === 0 ? 0 : sum;
}

/** Runs of two to four letters with the ends marked, the suffix, the length, digits and hyphens. */
export function forEachShapeFeature(label: string, suffix: string, visit: (hash: number) => void): number {
  const marked = `^${label}$`;
  let count = 0;
  for (let start = 0; start < marked.length; start++) {
    let hash = hashSeed;
    for (let length = 1; length <= 4 && start + length <= marked.length; length++) {
      hash = Math.imul(hash ^ marked.charCodeAt(start + length - 1), hashPrime);
      if (length < 2) continue;
      visit(mixed(hash));
      count++;
    }
  }
  visit(mixed(textHash(`.${suffix}`)));
  visit(mixed(textHash(`#${Math.min(label.length, 16)}`)));
  const digits = label.replace(/[^0-9]/g, '').length;
  if (digits > 0) visit(mixed(textHash(`digits${Math.min(digits, 4)}`)));
  if (label.includes('-')) visit(mixed(textHash('hyphen')));
  return count;
}

function textHash(text: string): number {
  let hash = hashSeed;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), hashPrime);
  return hash;
}

/** The lower bits of the hash alone would collide for short runs. */
function mixed(hash: number): number {
  const spread = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (spread ^ (spread >>> 13)) >>> 0;
}
