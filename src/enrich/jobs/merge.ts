import { enrichmentFields } from '../../domain/enrichment/fields.ts';
import type {
  Alternative,
  EnrichmentView,
  Provenance,
  ProviderReport,
} from '../../domain/enrichment/view.ts';
import { type EnrichmentStatus, methods } from '../../domain/enrichment/vocabulary.ts';
import type { Said } from '../providers/provider.ts';

const rankOf = new Map(Object.keys(methods).map((method, rank) => [method, rank]));
const partsOf = new Map(enrichmentFields.map(({ path }) => [path, path.split('.')]));
const alternativesMax = 3;

/** One view of all results: per field the most trusted value, with the others as alternatives. */
export function mergeSaid(said: readonly Said[], reports: ProviderReport[]): EnrichmentView {
  const byPath = new Map<string, Said[]>();
  for (const one of said) {
    const others = byPath.get(one.path);
    if (others === undefined) byPath.set(one.path, [one]);
    else others.push(one);
  }
  const view: Record<string, unknown> = {};
  const provenance: Record<string, Provenance> = {};
  for (const [path, candidates] of byPath) {
    if (candidates.length > 1) candidates.sort(byTrust);
    const best = candidates[0] as Said;
    setAt(view, path, best.value);
    provenance[path] = provenanceOf(best, candidates.slice(1));
  }
  return { schema: 1, status: statusOf(reports), ...view, provenance, providers: reports };
}

function byTrust(a: Said, b: Said): number {
  const rank = (said: Said) => rankOf.get(said.method) ?? rankOf.size;
  return rank(a) - rank(b) || b.confidence - a.confidence;
}

function provenanceOf(best: Said, others: readonly Said[]): Provenance {
  const { provider, method, confidence, source, observedAt } = best;
  // By far the most common case: one built-in provider.
  if (others.length === 0 && source === undefined && observedAt === undefined)
    return { provider, method, confidence };
  const alternatives = differentValues(best, others);
  return {
    provider,
    method,
    confidence,
    ...(source === undefined ? {} : { source }),
    ...(observedAt === undefined ? {} : { observed_at: observedAt }),
    ...(alternatives.length === 0 ? {} : { alternatives }),
  };
}

function differentValues(best: Said, others: readonly Said[]): Alternative[] {
  const seen = new Set([JSON.stringify(best.value)]);
  const alternatives: Alternative[] = [];
  for (const { value, provider, method, confidence } of others) {
    const text = JSON.stringify(value);
    if (seen.has(text) || alternatives.length === alternativesMax) continue;
    seen.add(text);
    alternatives.push({ value, provider, method, confidence });
  }
  return alternatives;
}

/** Paths come from a closed table, so none of their parts can be a name from the object prototype. */
function setAt(view: Record<string, unknown>, path: string, value: unknown): void {
  const parts = partsOf.get(path) ?? [];
  const last = parts.length - 1;
  let place = view;
  for (let i = 0; i < last; i++) {
    const part = parts[i] as string;
    place[part] ??= {};
    place = place[part] as Record<string, unknown>;
  }
  place[parts[last] as string] = value;
}

/** Without network access, the built-in providers are all there is, and that counts as success. */
function statusOf(reports: readonly ProviderReport[]): EnrichmentStatus {
  const builtin = reports.filter(({ phase }) => phase === 'builtin');
  if (builtin.every(({ outcome }) => outcome === 'fail')) return 'failed';
  if (reports.some(({ outcome }) => outcome === 'pending' || outcome === 'retry' || outcome === 'fail'))
    return 'partial';
  const reachedOut = reports.some(({ phase, outcome }) => phase !== 'builtin' && outcome !== 'skip');
  return reachedOut ? 'complete' : 'builtin_only';
}
