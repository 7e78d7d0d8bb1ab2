import type pg from 'pg';
import type { Api } from '../../cli/api.ts';
import { insertNotice } from '../../db/alarms/alarm-notices.ts';
import { closeAlarms, countReminder, openAlarm } from '../../db/alarms/alarms.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Alarm, Finding } from '../../domain/alarm/alarm.ts';
import type { NoticeWhat } from '../../domain/alarm/notice.ts';
import { toldAlarm } from '../../domain/alarm/told.ts';
import { dayMs, hourMs, minuteMs } from '../../time/clock.ts';
import { systemRandomness } from '../../time/randomness.ts';
import { type DemoEvent, deactivatedDaysAgo } from '../changes.ts';
import type { DemoSender, Place } from '../sender.ts';
import type { Stage } from '../stage.ts';

interface DemoAlarmsDeps {
  readonly api: Api;
  readonly sender: DemoSender;
  readonly pool: pg.Pool;
  /** When the month ends. */
  readonly now: number;
}

/** How an alarm went. */
interface Course {
  readonly openedAt: Date;
  readonly remindedAt?: readonly Date[];
  readonly closedAt?: Date;
}

const lead = '{"name":"Hana Sato","email":"hana.sato@fjordmaskin.no","message":"When can you pick up?"}';
const oldSite = { createdDaysAgo: 20, usedDaysAgo: [19.5, 8, 1.2], lifeDays: 30, noticeDays: 14 };
const noticedAfterMs = 48 * hourMs;

/**
 * The alarms that a month like this one raises. Nobody judges while the clock leaps, so they are written when the month is over;
 * whatever they say has happened. Those that are open are judged like any other from then on.
 */
export class DemoAlarms {
  readonly #deps: DemoAlarmsDeps;
  readonly #stages: readonly Stage[];
  #expiring: { readonly id: string; readonly name: string; readonly token: string } | null = null;

  constructor(deps: DemoAlarmsDeps, stages: readonly Stage[]) {
    this.#deps = deps;
    this.#stages = stages;
  }

  /** What leads to them, besides what happens anyway. */
  get events(): DemoEvent[] {
    const { sender } = this.#deps;
    const spring = this.#stageOf('brightwater-spring');
    return [
      { daysAgo: oldSite.createdDaysAgo, happen: () => this.#createExpiring() },
      ...oldSite.usedDaysAgo.map((daysAgo) => ({ daysAgo, happen: () => this.#useExpiring() })),
      { daysAgo: deactivatedDaysAgo - 0.01, happen: () => sender.signed(spring, lead) },
    ];
  }

  async raise(): Promise<void> {
    await this.#raiseDeactivated();
    await this.#raiseSilence();
    await this.#raiseExpiry();
  }

  /** Open: a form was deactivated, and its sender does not know. */
  async #raiseDeactivated(): Promise<void> {
    const spring = this.#stageOf('brightwater-spring');
    const at = this.#daysAgo(deactivatedDaysAgo);
    const firstAt = this.#daysAgo(deactivatedDaysAgo - 0.01);
    const openedAt = after(firstAt, minuteMs);
    const finding: Finding = {
      ...aboutForm(spring),
      ...{ kind: 'after_change', severity: 'high', reason: 'form_inactive' },
      evidence: {
        change: {
          ...{ action: 'changeAForm', text: 'Deactivated the form' },
          ...{ at: at.toISOString(), by: 'the operator' },
        },
        since: at.toISOString(),
        rejected: 1 + 2 * deactivatedDaysAgo,
        first_at: firstAt.toISOString(),
      },
    };
    const remindedAt = [after(openedAt, hourMs), after(openedAt, dayMs)];
    await this.#write(finding, { form: spring.form.name }, { openedAt, remindedAt });
  }

  /** Over: the quiet days of a form. */
  async #raiseSilence(): Promise<void> {
    const stage = this.#stages.find(({ form }) => form.quietDaysAgo !== undefined) as Stage;
    const { workspaceId, formId, form } = stage;
    const [until, from] = form.quietDaysAgo ?? [0, 0];
    const middle = this.#daysAgo((from + until) / 2).toISOString();
    const params = { workspace_id: workspaceId };
    const leads = (query: object) =>
      this.#deps.api.list('/workspaces/:workspace_id/leads', {
        params,
        query: { form_id: formId, ...query },
      });
    const [last] = await leads({ to: middle });
    const next = (await leads({ from: middle })).at(-1);
    if (last === undefined || next === undefined) return;
    const lastAt = new Date(last.received_at);
    const finding: Finding = {
      ...aboutForm(stage),
      ...{ kind: 'silence', severity: 'high', reason: null },
      evidence: {
        last_accepted_at: last.received_at,
        silent_hours: noticedAfterMs / hourMs,
        expected: Math.round((form.perDay * noticedAfterMs) / dayMs),
        usual_per_week: form.perDay * 7,
        silent_days: null,
      },
    };
    const openedAt = after(lastAt, noticedAfterMs);
    const remindedAt = [after(openedAt, hourMs)];
    const closedAt = after(new Date(next.received_at), minuteMs);
    await this.#write(finding, { form: form.name }, { openedAt, remindedAt, closedAt });
  }

  /** Open: a token that is used expires soon. */
  async #raiseExpiry(): Promise<void> {
    const quote = this.#stageOf('brightwater-quote');
    if (this.#expiring === null) return;
    const { id: tokenId, name } = this.#expiring;
    const expiresAt = this.#expiresAt;
    const finding: Finding = {
      ...{ ...aboutForm(quote), tokenId },
      ...{ kind: 'expiry_near', severity: 'medium', reason: `days_${oldSite.noticeDays}` },
      evidence: {
        expires_at: expiresAt.toISOString(),
        last_used_at: this.#daysAgo(oldSite.usedDaysAgo.at(-1) ?? 0).toISOString(),
        is_replaced: false,
      },
    };
    const openedAt = after(expiresAt, minuteMs - oldSite.noticeDays * dayMs);
    const remindedAt = [after(openedAt, hourMs), after(openedAt, dayMs)];
    await this.#write(finding, { form: quote.form.name, token: name }, { openedAt, remindedAt });
  }

  async #write(finding: Finding, names: Alarm['names'], course: Course): Promise<void> {
    const { openedAt, remindedAt = [], closedAt } = course;
    await inTransaction(this.#deps.pool, async (client) => {
      const opened = await openAlarm(client, { ...finding, names, openedAt, id: systemRandomness.uuid() });
      if (opened === null) return;
      await tell(client, opened, 'opened', openedAt);
      let alarm = opened;
      for (const [index, at] of remindedAt.entries()) {
        alarm = (await countReminder(client, alarm, index + 1)) ?? alarm;
        await tell(client, alarm, 'reminder', at);
      }
      if (closedAt === undefined) return;
      for (const closed of await closeAlarms(client, [alarm.id], 'recovered', closedAt))
        await tell(client, closed, 'closed', closedAt);
    });
  }

  async #createExpiring(): Promise<void> {
    const { workspaceId, formId } = this.#stageOf('brightwater-quote');
    this.#expiring = await this.#deps.api.call('POST', '/workspaces/:workspace_id/tokens', {
      params: { workspace_id: workspaceId },
      body: { name: 'Old website', form_id: formId, expires_at: this.#expiresAt.toISOString() },
    });
  }

  async #useExpiring(): Promise<void> {
    const place: Pick<Place, 'token'> | null = this.#expiring;
    if (place !== null) await this.#deps.sender.byToken(place, lead);
  }

  get #expiresAt(): Date {
    return this.#daysAgo(oldSite.createdDaysAgo - oldSite.lifeDays);
  }

  #daysAgo(days: number): Date {
    return new Date(Math.round(this.#deps.now - days * dayMs));
  }

  #stageOf(slug: string): Stage {
    return this.#stages.find((stage) => stage.slug === slug) as Stage;
  }
}

function aboutForm({ workspaceId, formId }: Stage) {
  return { workspaceId, formId, tokenId: null, destinationId: null };
}

/** The demo has no mail server. */
async function tell(client: pg.PoolClient, alarm: Alarm, what: NoticeWhat, at: Date): Promise<void> {
  await insertNotice(client, {
    ...{ id: systemRandomness.uuid(), workspaceId: alarm.workspaceId, alarmId: alarm.id, what, at },
    ...{ state: 'told', digestAt: null, content: { alarm: toldAlarm(alarm) }, emailState: 'none' },
  });
}

const after = (at: Date, ms: number) => new Date(at.getTime() + ms);
