import { type LeadOrigin, listLeadKeys } from '../../db/alarms/lead-keys.ts';
import { type Alarm, type Finding, subjectKey } from '../../domain/alarm/alarm.ts';
import { ruleFor } from '../../domain/alarm/settings.ts';
import {
  type KeysOfLead,
  lastPlaces,
  newestCount,
  type VanishedKey,
  vanishedKeys,
  vanishing,
} from '../../domain/alarm/vanished-keys.ts';
import { dayMs, hourMs } from '../../time/clock.ts';
import type { Judgement, Over, Rule, Verdicts } from '../rule.ts';
import { formRhythms } from './form-rhythms.ts';

const kind = 'field_vanished';
/** Of one turn: reading the keys of leads takes longer than all other rules together. */
const sourcesMax = 20;
const alarmsPerForm = 3;
/** Older leads say little about how the form is now. */
const lookBackMs = 90 * dayMs;

/**
 * The leads of a form by how they came. Those of web pages are judged on their own: anyone can send some, with and without a
 * key, and must neither raise a high alarm nor end one.
 */
interface Source {
  readonly workspaceId: string;
  readonly formId: string;
  readonly origin: LeadOrigin;
  /** In the last hour. */
  leads: number;
}

/** A key that nearly all leads of a form had is in none of the newest ones: someone changed the form. */
export function fieldVanishedRule(): Rule {
  // Where the next turn begins. After a restart it begins anywhere.
  let after = '';
  return {
    kinds: [kind],
    everyMinutes: 1,
    async judge(judgement) {
      const turn = turnAfter(after, listSources(judgement));
      after = turn.length < sourcesMax ? '' : nameOf(turn.at(-1) as Source);
      return judgeSources(turn, judgement);
    },
  };
}

function nameOf({ formId, origin }: Source): string {
  return `${formId} ${origin}`;
}

/** As many as one turn judges, from the first after the last one. */
function turnAfter(after: string, sources: readonly Source[]): Source[] {
  const sorted = sources.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  const next = sorted.filter((source) => nameOf(source) > after);
  const rest = sorted.filter((source) => nameOf(source) <= after);
  return [...next, ...rest].slice(0, sourcesMax);
}

/** Those with leads in the last hour, and those with an open alarm. */
function listSources({ counts, open, workspaces }: Judgement): Source[] {
  const sources = new Map<string, Source>();
  const add = (source: Source) => {
    const workspace = workspaces.get(source.workspaceId);
    if (workspace?.isSuspended !== false || !workspace.forms.has(source.formId)) return;
    const { isEnabled } = ruleFor(workspace.settings, { kind, formId: source.formId, tokenId: null });
    if (!isEnabled) return;
    const known = sources.get(nameOf(source));
    if (known === undefined) sources.set(nameOf(source), source);
    else known.leads += source.leads;
  };
  for (const { workspaceId, formId, surface, outcome, in60Minutes } of counts)
    if (outcome === 'accepted' && in60Minutes.count > 0)
      add({
        workspaceId,
        formId,
        origin: surface === 'browser' ? 'pages' : 'proven',
        leads: in60Minutes.count,
      });
  for (const alarm of open)
    if (alarm.workspaceId !== null && alarm.formId !== null)
      add({ workspaceId: alarm.workspaceId, formId: alarm.formId, origin: originOf(alarm), leads: 0 });
  return [...sources.values()];
}

function originOf({ severity }: Alarm): LeadOrigin {
  return severity === 'high' ? 'proven' : 'pages';
}

async function judgeSources(sources: readonly Source[], judgement: Judgement): Promise<Verdicts> {
  const { now, open } = judgement;
  const rhythms = await formRhythms(judgement, sources);
  const found: Finding[] = [];
  const over = new Map<string, Over>();
  for (const source of sources) {
    const rhythm = rhythms.get(source.formId);
    const perDay =
      rhythm === undefined || rhythm.weeks === 0 ? 24 * source.leads : rhythm.leads / rhythm.weeks / 7;
    const newest = newestCount(perDay);
    const leads = await readLeads(judgement, source, newest);
    found.push(...vanishedKeys(leads, newest, now).map((vanished) => findingOf(source, vanished)));
    const places = lastPlaces(leads);
    for (const alarm of open)
      if (isAbout(alarm, source) && isBack(alarm, leads, places))
        over.set(alarm.id, { alarmId: alarm.id, as: 'recovered' });
  }
  for (const { id, openedAt } of open)
    if (now.getTime() - openedAt.getTime() >= vanishing.newNormalMs)
      over.set(id, { alarmId: id, as: 'removed' });
  const findings = withinLimit(found, open);
  const foundKeys = new Set(findings.map(subjectKey));
  const isFound = (id: string) => open.some((alarm) => alarm.id === id && foundKeys.has(subjectKey(alarm)));
  return { findings, over: [...over.values()].filter(({ alarmId }) => !isFound(alarmId)) };
}

/** Newest first. If they are all of the last hour, some of before it are added: the change may be as long ago. */
async function readLeads(
  { now, pool }: Judgement,
  { workspaceId, formId, origin }: Source,
  newest: number,
): Promise<KeysOfLead[]> {
  const from = new Date(now.getTime() - lookBackMs);
  const anHourAgo = new Date(now.getTime() - hourMs);
  const query = { workspaceId, formId, origin, from };
  const limit = newest + vanishing.beforeMax;
  // Those that arrive meanwhile have their turn next time.
  const leads = await listLeadKeys(pool, { ...query, to: now, limit });
  const oldest = leads.at(-1);
  if (leads.length === limit && oldest !== undefined && oldest.receivedAt >= anHourAgo)
    leads.push(...(await listLeadKeys(pool, { ...query, to: anHourAgo, limit: vanishing.beforeMax })));
  return leads.flatMap(({ receivedAt, keys }) => (keys === null ? [] : [{ receivedAt, keys }]));
}

function findingOf({ workspaceId, formId, origin }: Source, vanished: VanishedKey): Finding {
  const { key, hadPercent, leads, missingIn } = vanished;
  const subject = { workspaceId, kind, formId, tokenId: null, destinationId: null, reason: key } as const;
  const evidence = { key, had_percent: hadPercent, leads, missing_in: missingIn };
  return { ...subject, severity: origin === 'proven' ? 'high' : 'medium', evidence };
}

function isAbout(alarm: Alarm, { formId, origin }: Source): boolean {
  return alarm.formId === formId && originOf(alarm) === origin;
}

/** A lead has the key again. */
function isBack(
  { reason, openedAt }: Alarm,
  leads: readonly KeysOfLead[],
  places: ReadonlyMap<string, number>,
): boolean {
  const place = reason === null ? undefined : places.get(reason);
  if (place === undefined) return false;
  return place < vanishing.newestMin || (leads[place] as KeysOfLead).receivedAt > openedAt;
}

/** If all keys of a form have changed, a few alarms say so. Web pages say nothing about an alarm that is high. */
function withinLimit(found: readonly Finding[], open: readonly Alarm[]): Finding[] {
  return [...Map.groupBy(found, ({ formId }) => formId)].flatMap(([formId, ofForm]) => {
    const ofOpen = new Map(
      open.filter((alarm) => alarm.formId === formId).map((alarm) => [alarm.reason, alarm]),
    );
    const isWeaker = ({ reason, severity }: Finding) =>
      severity !== 'high' && ofOpen.get(reason)?.severity === 'high';
    // The last one of a key stays: that of the proven leads, if there is one.
    const weakerFirst = ofForm.filter((finding) => !isWeaker(finding)).toSorted((a, b) => rank(b) - rank(a));
    const byKey = [...new Map(weakerFirst.map((finding) => [finding.reason, finding])).values()];
    const others = byKey.filter(({ reason }) => !ofOpen.has(reason));
    // Those about web pages do not count, or their visitors could use up the limit.
    const highOpen = [...ofOpen.values()].filter(isHigh).length;
    const high = others.filter(isHigh).slice(0, Math.max(0, alarmsPerForm - highOpen));
    const left = Math.max(0, alarmsPerForm - ofOpen.size - high.length);
    const rest = others.filter((finding) => !isHigh(finding)).slice(0, left);
    return [...byKey.filter(({ reason }) => ofOpen.has(reason)), ...high, ...rest];
  });
}

function isHigh({ severity }: Finding): boolean {
  return severity === 'high';
}

function rank({ severity }: Finding): number {
  return severity === 'high' ? 0 : 1;
}
