import { isListed } from './families/tenant.ts';
import { Hits } from './hits.ts';
import type { EmailAddress } from './reading/email.ts';
import { type RuleCode, ruleIndex, ruleOf } from './rules.ts';
import type { Score } from './score.ts';
import type { CompiledScoring } from './settings/compile.ts';
import type { StoredReason } from './stored-reasons.ts';
import { conclude } from './verdict.ts';

/** Something learned about a lead after it came in. */
export interface LateFinding {
  readonly code: RuleCode;
  readonly address: EmailAddress;
  readonly field: string | null;
  readonly evidence: string;
}

/** Points that a company domain gets before its mail server is known. */
const companyMerits: ReadonlySet<string> = new Set<RuleCode>(['FIT_BUSINESS_DOMAIN', 'FIT_COMPANY_DOMAIN']);

/**
 * Adds a late finding to the original ones, under the current settings of the form. Null if nothing changes: the form
 * has disabled the rule or allows the sender, the finding is already there, or the lead has findings of an earlier
 * release that are no longer in the table.
 */
export function lookAgain(
  stored: readonly StoredReason[],
  form: CompiledScoring,
  { code, address, field, evidence }: LateFinding,
): Score | null {
  const points = form.points[ruleIndex(code)] ?? 0;
  const isSettled = stored.some((reason) => reason.code === code || ruleOf(reason.code) === null);
  const sender = { local: address.local.toLowerCase(), domain: address.domain };
  if (points === 0 || isSettled || isListed(form.allowed, sender)) return null;
  const hits = new Hits();
  hits.begin(form);
  for (const reason of stored) {
    // Caps are recalculated below.
    if (ruleOf(reason.code)?.family === 'cap' || companyMerits.has(reason.code)) continue;
    hits.addPoints(ruleIndex(reason.code), reason.points, reason.field ?? null, reason.evidence ?? null);
  }
  hits.add(code, field, evidence);
  hits.addOnce('FIT_DISPOSABLE');
  return conclude(hits, form);
}
