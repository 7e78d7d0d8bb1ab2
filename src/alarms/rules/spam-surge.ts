import { countAccepted, type FormRhythm } from '../../db/alarms/facts/form-rhythms.ts';
import type { Finding } from '../../domain/alarm/alarm.ts';
import { binomialTail } from '../../domain/alarm/statistics.ts';
import { hourMs } from '../../time/clock.ts';
import type { Judgement, Over, Rule, Verdicts } from '../rule.ts';
import { formRhythms } from './form-rhythms.ts';

const minutes = 60;
const leadsMin = 20;
/** Of the last four weeks, below which nothing is usual yet. */
const scoredLeadsMin = 50;
/** How many times the usual share opens an alarm. */
const surge = 3;
const chanceMax = 1e-6;
const quietLeadsMax = 5;
const quietMs = 2 * hourMs;

interface LastHour {
  readonly workspaceId: string;
  readonly formId: string;
  leads: number;
  spam: number;
}

/** Many more leads of a form than usual are spam. Web pages send leads of anyone, so it is never high. */
export function spamSurgeRule(): Rule {
  return { kinds: ['spam_surge'], everyMinutes: 1, judge };
}

async function judge(judgement: Judgement): Promise<Verdicts> {
  const hours = lastHours(judgement);
  const openForms = new Set(judgement.open.map(({ formId }) => formId));
  const judged = [...hours.values()].filter(
    ({ formId, leads, spam }) => openForms.has(formId) || (leads >= leadsMin && spam > 0),
  );
  const usual = await usualShares(judgement, judged);
  const findings = judged.flatMap((hour) => findingOf(hour, usual.get(hour.formId)));
  return { findings, over: await listOver(judgement, hours, usual) };
}

function lastHours({ counts, workspaces }: Judgement): Map<string, LastHour> {
  const hours = new Map<string, LastHour>();
  for (const { workspaceId, formId, outcome, in60Minutes } of counts) {
    const workspace = workspaces.get(workspaceId);
    if (outcome !== 'accepted' || workspace?.isSuspended !== false || !workspace.forms.has(formId)) continue;
    const hour = hours.get(formId) ?? { workspaceId, formId, leads: 0, spam: 0 };
    hour.leads += in60Minutes.count;
    hour.spam += in60Minutes.spam;
    hours.set(formId, hour);
  }
  return hours;
}

/** By form; only of those with enough leads to say what is usual. */
async function usualShares(judgement: Judgement, judged: readonly LastHour[]): Promise<Map<string, number>> {
  const known = [...(await formRhythms(judgement, judged)).values()];
  const learnt = known.filter(({ scoredLeads }) => scoredLeads >= scoredLeadsMin);
  return new Map(learnt.map((rhythm) => [rhythm.formId, usualShare(rhythm)]));
}

/** Never 0: where there was no spam so far, the first is no surge. */
function usualShare({ scoredLeads, spamLeads }: FormRhythm): number {
  return (spamLeads + 0.5) / (scoredLeads + 1);
}

function findingOf({ workspaceId, formId, leads, spam }: LastHour, usual: number | undefined): Finding[] {
  if (usual === undefined || leads < leadsMin || spam < surge * usual * leads) return [];
  if (binomialTail(spam, leads, usual) >= chanceMax) return [];
  const evidence = { spam, leads, minutes, usual_percent: Math.round(1000 * usual) / 10 };
  const subject = { workspaceId, formId, tokenId: null, destinationId: null, reason: null };
  return [{ ...subject, kind: 'spam_surge', severity: 'medium', evidence }];
}

async function listOver(
  { open, now, pool, workspaces }: Judgement,
  hours: ReadonlyMap<string, LastHour>,
  usual: ReadonlyMap<string, number>,
): Promise<Over[]> {
  const over: Over[] = [];
  for (const { id, workspaceId, formId } of open) {
    if (workspaceId === null || formId === null || workspaces.get(workspaceId)?.isSuspended !== false)
      continue;
    const { leads, spam } = hours.get(formId) ?? { leads: 0, spam: 0 };
    const share = usual.get(formId);
    const isFew = async () =>
      leads < quietLeadsMax &&
      (await countAccepted(pool, workspaceId, formId, new Date(now.getTime() - quietMs))) < quietLeadsMax;
    const isUsual = leads > 0 && share !== undefined && spam < (leads * surge * share) / 2;
    if (isUsual || (await isFew())) over.push({ alarmId: id, as: 'recovered' });
  }
  return over;
}
