import type pg from 'pg';
import { learnDomain, unlearnDomain } from '../../db/enrichment/learned-domains.ts';
import { listScoredForms } from '../../db/forms/form-scoring.ts';
import type { LeadRef } from '../../db/leads/lead-ref.ts';
import { type LeadToReview, lockLeadsToReview, storeSecondLook } from '../../db/leads/lead-second-looks.ts';
import type { Score } from '../../domain/score/score.ts';
import { lookAgain } from '../../domain/score/second-look.ts';
import { type CompiledScoring, compileScoring } from '../../domain/score/settings/compile.ts';
import { defaultScoringSettings } from '../../domain/score/settings/settings.ts';
import type { Clock } from '../../time/clock.ts';
import type { LookupResult } from '../providers/provider.ts';
import { type Input, readInput } from '../reading/input.ts';

/**
 * Scores leads again if their mail server, unknown when they came in, belongs to a disposable email service. Safe to
 * repeat: leads that already had a second look, are not clean or are marked by an owner are left alone.
 */
export async function reviewLeads(
  client: pg.PoolClient,
  refs: readonly LeadRef[],
  clock: Clock,
): Promise<void> {
  const leads = await lockLeadsToReview(client, refs);
  if (leads.length === 0) return;
  const forms = await compiledForms(client, leads);
  for (const lead of leads) {
    const score = judgeAnew(lead, forms.get(lead.formId) ?? withoutForm);
    if (score !== null) await storeSecondLook(client, lead, score, new Date(clock.now()));
  }
}

/** Remembers what DNS says about a domain, for its next leads: they are scored with it when they come in. */
export async function learnFromMx(
  { mailDomain }: Input,
  said: LookupResult,
  { pool, clock }: { readonly pool: pg.Pool; readonly clock: Clock },
): Promise<void> {
  if (mailDomain === null || said.kind !== 'found') return;
  const valueAt = (path: string) => said.fields.find((field) => field.path === path)?.value;
  const mailServer = valueAt('email.mail_server');
  if (valueAt('email.class') === 'disposable_likely' && typeof mailServer === 'string')
    await learnDomain(pool, { domain: mailDomain, mailServer }, new Date(clock.now()));
  else await unlearnDomain(pool, mailDomain);
}

const withoutForm = compileScoring(defaultScoringSettings, [], 0);

async function compiledForms(
  client: pg.PoolClient,
  leads: readonly LeadToReview[],
): Promise<Map<string, CompiledScoring>> {
  const forms = await listScoredForms(client, [...new Set(leads.map(({ formId }) => formId))]);
  return new Map(
    forms.map(({ id, fields, settings, version }) => [id, compileScoring(settings, fields, version)]),
  );
}

function judgeAnew({ fields, reasons, mailServer }: LeadToReview, form: CompiledScoring): Score | null {
  const { email } = readInput(fields);
  if (email === null) return null;
  const finding = { address: email, field: email.key, evidence: mailServer };
  return lookAgain(reasons, form, { code: 'EMAIL_DISPOSABLE_MX', ...finding });
}
