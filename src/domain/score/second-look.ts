import { isListed } from './families/tenant.ts';
import { Hits } from './hits.ts';
import type { EmailAddress } from './reading/email.ts';
import { type RuleCode, ruleIndex, ruleOf } from './rules.ts';
import type { Score } from './score.ts';
import type { CompiledScoring } from './settings/compile.ts';
import type { StoredReason } from './stored-reasons.ts';
import { conclude } from './verdict.ts';

/** What was found out about a lead after it came in. */
export interface LateFinding {
  readonly code: RuleCode;
  readonly address: EmailAddress;
  readonly field: string | null;
  readonly evidence: string;
}

/** What a company domain was given at first, before anybody knew whose mail server it uses. */
const companyMerits: ReadonlySet<string> = new Set<RuleCode>(['FIT_BUSINESS_DOMAIN', 'FIT_COMPANY_DOMAIN']);

/**
 * The findings from when the lead came in and a late one, added up anew by the settings of its form. Null when nothing
 * changes: the form has switched the rule off or allows the sender, the finding is known already, or the lead has
 * findings of an earlier release that cannot be added up any more.
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
    // Caps are made anew below.
    if (ruleOf(reason.code)?.family === 'cap' || companyMerits.has(reason.code)) continue;
    hits.addPoints(ruleIndex(reason.code), reason.points, reason.field ?? null, reason.evidence ?? null);
  }
  hits.add(code, field, evidence);
  hits.addOnce('FIT_DISPOSABLE');
  return conclude(hits, form);
}
