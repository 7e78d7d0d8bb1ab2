import { type DryRun, type DryRunRequest, examplesMax } from '../../contract/scoring.ts';
import { findForm } from '../../db/forms/forms.ts';
import { newestFirst } from '../../db/leads/lead-order.ts';
import type { LeadRecord } from '../../db/leads/lead-rows.ts';
import { signalsIn } from '../../domain/score/families/page.ts';
import type { RuleCode } from '../../domain/score/rules.ts';
import { pageBytesMax } from '../calls/page.ts';
import { notFound } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import { leadPages } from '../leads/lead-pages.ts';
import type { Rescored, RescoredJudgement } from './rescoring-worker.ts';
import { requireFormScoring } from './scoring-changes.ts';
import { checkSettings } from './scoring-checks.ts';
import { settingsOf } from './scoring-view.ts';

/** What only a second look finds. */
const lateCodes: ReadonlySet<string> = new Set<RuleCode>(['EMAIL_DISPOSABLE_MX']);

/** Leads are parsed and scored in another thread: a hostile lead takes as long as thousands of normal ones. */
export async function dryRunScoring(
  { rescoring, ...deps }: ManagementDeps,
  workspaceId: string,
  formId: string,
  { settings, limit }: DryRunRequest,
  isStopped: () => boolean = () => false,
): Promise<DryRun> {
  const { pool } = deps;
  const form = await findForm(pool, workspaceId, formId);
  if (form === null) throw notFound('form');
  const draft = settingsOf(settings);
  checkSettings(draft, form.fields);
  const saved = await requireFormScoring(pool, workspaceId, formId);
  const before = { settings: saved.settings, version: saved.version };
  const after = { settings: draft, version: saved.version + 1 };

  const tally = new ChangeTally();
  for await (const leads of leadPages(
    deps,
    workspaceId,
    { filter: { formId, fieldValues: new Map() }, order: newestFirst },
    limit,
  )) {
    const asked = leads.map(({ fieldsText, receivedAt, reasons, surface }) => ({
      fieldsText,
      receivedAt: receivedAt.getTime(),
      page: surface === 'browser' ? signalsIn(reasons) : null,
      late: reasons.find(({ code }) => lateCodes.has(code)) ?? null,
    }));
    const question = { formFields: form.fields, before, after, learned: saved.learned, leads: asked };
    const rescored = await rescoring.ask(question);
    for (const [place, lead] of leads.entries()) tally.add(lead, rescored[place] ?? null);
    if (isStopped()) break;
  }
  return tally.view();
}

class ChangeTally {
  #leads = 0;
  #exampleBytes = 0;
  readonly #examples: DryRun['examples'] = [];
  readonly #counts = new Map<string, DryRun['by_change'][number]>();

  add(lead: LeadRecord, change: Rescored): void {
    this.#leads++;
    if (change === null) return;
    const [from, to] = [change.from.verdict, change.to.verdict];
    const counted = this.#counts.get(`${from} ${to}`) ?? { from, to, count: 0 };
    counted.count++;
    this.#counts.set(`${from} ${to}`, counted);
    if (this.#examples.length < examplesMax && this.#exampleBytes < pageBytesMax) this.#show(lead, change);
  }

  #show({ submissionId, receivedAt }: LeadRecord, { from, to }: NonNullable<Rescored>): void {
    const example = {
      submission_id: submissionId,
      received_at: receivedAt.toISOString(),
      from: viewJudgement(from),
      to: viewJudgement(to),
    };
    this.#examples.push(example);
    // Reasons name fields, and senders choose the length of field names.
    this.#exampleBytes += JSON.stringify(example).length;
  }

  view(): DryRun {
    const by_change = [...this.#counts.values()].toSorted((a, b) => b.count - a.count);
    return {
      leads: this.#leads,
      changed: by_change.reduce((sum, { count }) => sum + count, 0),
      by_change,
      examples: this.#examples,
    };
  }
}

function viewJudgement({ verdict, risk, reasons }: RescoredJudgement) {
  return { verdict, risk, reasons: [...reasons] };
}
