import { setImmediate as nextTurn } from 'node:timers/promises';
import { type DryRun, type DryRunRequest, examplesMax } from '../contract/scoring.ts';
import { findForm } from '../db/forms.ts';
import type { LeadRecord } from '../db/leads.ts';
import { compileScoring } from '../domain/score/compile.ts';
import type { Score } from '../domain/score/score.ts';
import type { ManagementDeps } from './deps.ts';
import { leadPages } from './lead-pages.ts';
import { notFound } from './problem.ts';
import { requireFormScoring } from './scoring-changes.ts';
import { checkSettings } from './scoring-checks.ts';
import { settingsOf } from './scoring-view.ts';

/** A lead under the settings in force, and under the draft. */
interface Comparison {
  readonly lead: LeadRecord;
  readonly from: Score;
  readonly to: Score;
}

export async function dryRunScoring(
  deps: ManagementDeps,
  workspaceId: string,
  formId: string,
  { settings, limit }: DryRunRequest,
): Promise<DryRun> {
  const { pool, scorer } = deps;
  const form = await findForm(pool, workspaceId, formId);
  if (form === null) throw notFound('form');
  const draft = settingsOf(settings);
  checkSettings(draft, form.fields);
  const saved = await requireFormScoring(pool, workspaceId, formId);
  const before = compileScoring(saved.settings, form.fields, saved.version);
  const after = compileScoring(draft, form.fields, saved.version + 1);

  const tally = new ChangeTally();
  for await (const leads of leadPages(deps, workspaceId, { formId, fieldValues: new Map() }, limit)) {
    for (const lead of leads) {
      // Without what came before it: repeats are known only when a lead arrives.
      const context = { now: lead.receivedAt.getTime() };
      tally.add({
        lead,
        from: scorer.score(lead.fields, before, context),
        to: scorer.score(lead.fields, after, context),
      });
      // Senders may wait for this process: they get their turn after each lead.
      await nextTurn();
    }
  }
  return tally.view();
}

class ChangeTally {
  #leads = 0;
  readonly #changed: Comparison[] = [];
  readonly #counts = new Map<string, DryRun['by_change'][number]>();

  add(comparison: Comparison): void {
    this.#leads++;
    const [from, to] = [comparison.from.verdict, comparison.to.verdict];
    if (from === to) return;
    const change = this.#counts.get(`${from} ${to}`) ?? { from, to, count: 0 };
    change.count++;
    this.#counts.set(`${from} ${to}`, change);
    if (this.#changed.length < examplesMax) this.#changed.push(comparison);
  }

  view(): DryRun {
    const by_change = [...this.#counts.values()].toSorted((a, b) => b.count - a.count);
    return {
      leads: this.#leads,
      changed: by_change.reduce((sum, { count }) => sum + count, 0),
      by_change,
      examples: this.#changed.map(({ lead, from, to }) => ({
        submission_id: lead.submissionId,
        received_at: lead.receivedAt.toISOString(),
        from: judgement(from),
        to: judgement(to),
      })),
    };
  }
}

function judgement({ verdict, risk, reasons }: Score) {
  return { verdict, risk, reasons: [...reasons] };
}
