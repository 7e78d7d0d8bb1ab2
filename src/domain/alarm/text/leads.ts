import { hourMs } from '../../../time/clock.ts';
import { lineOf } from '../../destination/message/plain-text.ts';
import { countText, facts, nameText, numberText, pathOf } from './reading.ts';
import { sourceText, withinText } from './rejections.ts';
import { diagnosticsPath, type Writer } from './told-alarm.ts';

export const silence: Writer = (alarm, evidence) => {
  const hours = evidence.number('silent_hours');
  const expected = evidence.number('expected');
  const perWeek = evidence.number('usual_per_week');
  const days = evidence.number('silent_days');
  return {
    title: `No leads ${sourceText(alarm)}`,
    facts: facts(
      ['Last lead', evidence.time('last_accepted_at')],
      ['Silent for', hours === null ? null : hoursText(hours)],
      ['Usual in that time', expected === null ? null : countText(expected, 'lead')],
      ['Usual in a week', perWeek === null ? null : countText(perWeek, 'lead')],
      ['Alarm after', days === null ? null : `${countText(days, 'day')}, as set in the alarm settings`],
      ['What to do', 'Send a test lead, and check that the form or the backend still sends.'],
    ),
    path: diagnosticsPath(alarm),
  };
};

const daysFromHours = 48;

function hoursText(hours: number): string {
  return hours < daysFromHours ? countText(hours, 'hour') : countText(hours / 24, 'day');
}

export const fieldVanished: Writer = (alarm, evidence) => {
  const key = evidence.text('key') ?? lineOf(alarm.reason ?? '', fieldCharactersMax);
  const had = evidence.number('had_percent');
  const leads = evidence.number('leads');
  const missing = evidence.number('missing_in');
  const before = leads === null ? 'the leads before' : `the ${countText(leads, 'lead')} before`;
  return {
    title: `Leads ${sourceText(alarm)} no longer have the field "${lineOf(key, fieldCharactersMax)}"`,
    facts: facts(
      ['Missing in', missing === null ? null : `the last ${countText(missing, 'lead')}`],
      ['Present in', had === null ? null : `${numberText(had)} % of ${before}`],
      ['What to do', 'Check whether the field was renamed or removed where the leads come from.'],
    ),
    path: alarm.formId === null ? '/forms' : `/forms/${alarm.formId}`,
  };
};

const fieldCharactersMax = 60;

export const spamSurge: Writer = (alarm, evidence) => {
  const { formId } = alarm;
  const spam = evidence.number('spam');
  const leads = evidence.number('leads');
  const usual = evidence.number('usual_percent');
  const from = new Date(alarm.openedAt.getTime() - hourMs).toISOString();
  return {
    title: `More spam than usual for ${nameText(alarm.names, 'form')}`,
    facts: facts(
      [
        'Spam',
        spam === null
          ? null
          : withinText(spam, evidence) + (leads === null ? '' : `, of ${countText(leads, 'lead')}`),
      ],
      ['Usual', usual === null ? null : `${numberText(usual)} %`],
      ['What to do', 'Look at the leads. If they are spam, nothing is lost; otherwise mark them as clean.'],
    ),
    path: pathOf('/leads', { form_id: formId, verdict: 'spam', from }),
  };
};

export const clockDrift: Writer = (alarm, evidence) => {
  const form = nameText(alarm.names, 'form');
  const isQueue = evidence.text('shape') === 'queue';
  const seconds = (key: string) => {
    const value = evidence.number(key);
    return value === null ? null : driftText(value);
  };
  return {
    title: isQueue
      ? `Requests for ${form} arrive late, and may soon be rejected`
      : `The clock of the sender of ${form} is wrong, and its requests may soon be rejected`,
    facts: facts(
      ['Half of the requests', seconds('median_seconds')],
      ['Furthest 5 %', seconds('p95_seconds')],
      ['Allowed', 'up to 300 seconds'],
      ['Requests', evidence.count('requests')],
      [
        'What to do',
        isQueue
          ? 'Sign each attempt again: the sender repeats requests with their old signatures.'
          : "Synchronise the sender's clock, for example with NTP.",
      ],
    ),
    path: alarm.formId === null ? '/forms' : `/forms/${alarm.formId}/delivery`,
  };
};

function driftText(seconds: number): string {
  const size = countText(Math.round(Math.abs(seconds)), 'second');
  return seconds < 0 ? `signed ${size} ahead of our time` : `signed ${size} behind our time`;
}
