import type { SourceRhythm } from '../../db/alarms/source-rhythms.ts';
import type { Alarm, Finding } from '../../domain/alarm/alarm.ts';
import { type AlarmRule, ruleFor } from '../../domain/alarm/settings.ts';
import { Expectation, servedMs } from '../../domain/alarm/silence/expectation.ts';
import { type Interval, union } from '../../domain/alarm/silence/interval.ts';
import { isSilent, isSilentForDays, mayBeSilent } from '../../domain/alarm/silence/silence.ts';
import { Zone } from '../../domain/alarm/silence/zone.ts';
import { hourMs } from '../../time/clock.ts';
import { awaysBefore, rhythmKeptMs } from '../rhythms.ts';
import type { Judgement, Over, Rule, Verdicts, WatchedWorkspace } from '../rule.ts';
import { KnownSources, type SourceId, sourceKey } from './silence/known-sources.ts';
import { LastDaysReader } from './silence/last-days.ts';

/** A source that sends nothing for longer than can be chance. */
export function silenceRule(): Rule {
  const silence = new Silence();
  return { kinds: ['silence'], everyMinutes: 1, judge: (judgement) => silence.judge(judgement) };
}

/** A source that accepts leads, with what applies to it. */
interface WatchedSource extends SourceId {
  readonly rhythm: SourceRhythm;
  readonly rule: AlarmRule;
}

class Silence {
  readonly #sources = new KnownSources();
  readonly #lastDays = new LastDaysReader();
  #expectations = new WeakMap<SourceRhythm, Expectation>();
  #aways: readonly Interval[] = [];

  async judge(judgement: Judgement): Promise<Verdicts> {
    const { now, pool, workspaces, open } = judgement;
    await this.#sources.update(judgement);
    this.#setAways(await awaysBefore(pool, now.getTime()));
    this.#lastDays.begin();
    const watched = this.#watched(workspaces, now);
    const openKeys = new Set(open.map((alarm) => keyOf(alarm)));
    const isNear = (source: WatchedSource) =>
      this.#mayBeSilent(source, now) || openKeys.has(sourceKey(source));
    const findings: Finding[] = [];
    const silentForms = new Set(open.flatMap(({ formId, tokenId }) => (tokenId === null ? [formId] : [])));
    for (const source of watched.forms.filter(isNear)) {
      const finding = await this.#judge(judgement, source);
      if (finding === null) continue;
      findings.push(finding);
      silentForms.add(source.formId);
    }
    // What is known after these were asked again: a lead that was counted late ends a silence.
    const over = open.flatMap((alarm) => this.#over(alarm, judgement, silentForms));
    for (const { alarmId } of over) {
      const ended = open.find(({ id, tokenId }) => id === alarmId && tokenId === null);
      if (ended !== undefined && !findings.some(({ formId }) => formId === ended.formId))
        silentForms.delete(ended.formId);
    }
    for (const source of watched.tokens.filter(({ formId }) => !silentForms.has(formId)).filter(isNear)) {
      const finding = await this.#judge(judgement, source);
      if (finding !== null) findings.push(finding);
    }
    return { findings, over };
  }

  /** Sources that accept leads. Tokens only of forms that also get leads in another way: otherwise the form says it all. */
  #watched(workspaces: Judgement['workspaces'], now: Date) {
    const forms: WatchedSource[] = [];
    const tokens: WatchedSource[] = [];
    const byForm = new Map<string, { leads: number; ofTokens: number; tokens: number }>();
    for (const rhythm of this.#sources.rhythms()) {
      const { workspaceId, formId, tokenId } = rhythm;
      const workspace = workspaces.get(workspaceId);
      if (workspace === undefined) continue;
      if (!accepts(workspace, rhythm, now)) {
        this.#lastDays.forget(rhythm);
        if (!workspace.forms.has(formId)) this.#sources.forget(rhythm);
        continue;
      }
      if (isForgotten(this.#sources.lastAt(rhythm), now)) continue;
      const form = byForm.get(formId) ?? { leads: 0, ofTokens: 0, tokens: 0 };
      byForm.set(formId, form);
      if (tokenId === null) form.leads = rhythm.leads;
      else {
        form.tokens++;
        form.ofTokens += rhythm.leads;
      }
      const rule = ruleFor(workspace.settings, { kind: 'silence', formId, tokenId });
      if (rule.isEnabled)
        (tokenId === null ? forms : tokens).push({ workspaceId, formId, tokenId, rhythm, rule });
    }
    const hasSeveral = ({ formId }: WatchedSource) => {
      const { leads, ofTokens, tokens: count } = byForm.get(formId) ?? { leads: 0, ofTokens: 0, tokens: 0 };
      return count >= 2 || (count === 1 && leads > ofTokens);
    };
    return { forms, tokens: tokens.filter(hasSeveral) };
  }

  /** Without asking the database. */
  #mayBeSilent({ rhythm, rule, ...source }: WatchedSource, now: Date): boolean {
    const lastAt = this.#sources.lastAt(source);
    if (lastAt === null) return false;
    const facts = { rhythm, expectation: this.#expectation(rhythm), aways: this.#aways, lastAt };
    const { isSensitive, silentDays } = rule;
    return (
      mayBeSilent({ ...facts, now: now.getTime(), isSensitive }) ||
      (silentDays !== null && isSilentForDays(lastAt, now.getTime(), silentDays, this.#aways))
    );
  }

  async #judge(judgement: Judgement, source: WatchedSource): Promise<Finding | null> {
    const now = judgement.now.getTime();
    const known = this.#sources.lastAt(source);
    const days = known === null ? null : await this.#lastDays.of(judgement.pool, source, known, now);
    if (days === null || days.isReplaced) return null;
    const { lastAt, leads, pauses } = days;
    this.#sources.noteLead(source, lastAt);
    const { rhythm, rule } = source;
    const aways = pauses.length === 0 ? this.#aways : union([...this.#aways, ...pauses]);
    const expectation =
      pauses.length === 0
        ? this.#expectation(rhythm)
        : new Expectation(rhythm.expected, Zone.of(rhythm.zone), aways);
    const { isSensitive, silentDays } = rule;
    const isUnusual = isSilent({
      rhythm,
      expectation,
      aways,
      lastAt,
      leadsBefore: () => leads,
      now,
      isSensitive,
    });
    const isTooLong = silentDays !== null && isSilentForDays(lastAt, now, silentDays, aways);
    if (!isUnusual && !isTooLong) return null;
    const { workspaceId, formId, tokenId } = source;
    return {
      kind: 'silence',
      severity: 'high',
      ...{ workspaceId, formId, tokenId, destinationId: null, reason: null },
      evidence: {
        last_accepted_at: new Date(lastAt).toISOString(),
        silent_hours: Math.round((servedMs(lastAt, now, aways) / hourMs) * 10) / 10,
        expected: Math.round(expectation.between(lastAt, now)),
        usual_per_week: Math.round(rhythm.leads / Math.max(1, rhythm.weeks)),
        silent_days: isUnusual ? null : silentDays,
      },
    };
  }

  #over(alarm: Alarm, { workspaces, now }: Judgement, silentForms: ReadonlySet<string | null>): Over[] {
    const { id: alarmId, workspaceId, formId, tokenId, evidence } = alarm;
    const workspace = workspaces.get(workspaceId ?? '');
    if (workspace === undefined || formId === null) return [];
    if (!accepts(workspace, { formId, tokenId }, now)) return [{ alarmId, as: 'removed' }];
    const lastAt = this.#sources.lastAt({ formId, tokenId });
    if (lastAt !== null && lastAt > Date.parse(String(evidence.last_accepted_at)))
      return [{ alarmId, as: 'recovered' }];
    // Nobody expects anything of it any more.
    if (isForgotten(lastAt, now)) return [{ alarmId, as: 'removed' }];
    return tokenId !== null && silentForms.has(formId) ? [{ alarmId, as: 'superseded' }] : [];
  }

  #setAways(aways: readonly Interval[]): void {
    const isSame =
      aways.length === this.#aways.length &&
      aways.every((away, place) => {
        const before = this.#aways[place];
        return away.from === before?.from && away.to === before.to;
      });
    if (isSame) return;
    this.#aways = aways;
    this.#expectations = new WeakMap();
  }

  #expectation(rhythm: SourceRhythm): Expectation {
    const known = this.#expectations.get(rhythm);
    if (known !== undefined) return known;
    const expectation = new Expectation(rhythm.expected, Zone.of(rhythm.zone), this.#aways);
    this.#expectations.set(rhythm, expectation);
    return expectation;
  }
}

/** As long as that its rhythm is deleted. */
function isForgotten(lastAt: number | null, now: Date): boolean {
  return lastAt === null || lastAt < now.getTime() - rhythmKeptMs;
}

function keyOf({ formId, tokenId }: Alarm): string {
  return sourceKey({ formId: formId ?? '', tokenId });
}

/** Whether the source can send leads now: a form that is turned off is not silent. */
function accepts(
  workspace: WatchedWorkspace,
  { formId, tokenId }: Pick<SourceId, 'formId' | 'tokenId'>,
  now: Date,
): boolean {
  if (workspace.isSuspended || workspace.forms.get(formId)?.isActive !== true) return false;
  if (tokenId === null) return true;
  const token = workspace.tokens.get(tokenId);
  return (
    token !== undefined && token.revokedAt === null && (token.expiresAt === null || token.expiresAt > now)
  );
}
