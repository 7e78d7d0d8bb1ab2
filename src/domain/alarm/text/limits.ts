import { type Surface, surfaces } from '../../surface.ts';
import { countText, facts, nameText, numberText, pathOf } from './reading.ts';
import { withinText } from './rejections.ts';
import type { ToldAlarm, Writer } from './told-alarm.ts';
import { diagnosticsPath } from './told-alarm.ts';

const surfaceTexts: Readonly<Record<Surface, string>> = {
  server: 'token surface',
  webhook: 'webhook surface',
  browser: 'browser surface',
};

/** `server_day_80`: the surface, the window and how much of it was used. */
export const limitNear: Writer = (alarm, evidence) => {
  const [name = '', window, percent] = (alarm.reason ?? '').split('_');
  const surface = surfaces.find((one) => one === name) ?? null;
  const where = surface === null ? 'A surface' : `The ${surfaceTexts[surface]}`;
  const limit = window === 'minute' ? 'its limit per minute' : 'its daily limit';
  const rejected = evidence.number('rejected');
  const isReached = percent === '100' || window === 'minute';
  const level = Number(percent) > 0 ? `${Number(percent)} % of ` : 'most of ';
  return {
    title: isReached ? `${where} has reached ${limit}` : `${where} has used ${level}${limit}`,
    facts: facts(
      ['Used', evidence.count('used')],
      ['Limit', evidence.count('limit')],
      ['Rejected', rejected === null ? null : withinText(rejected, evidence)],
      ['Window started', evidence.time('window_started_at')],
      ['Accepts leads again', evidence.time('resets_at')],
      [
        'What to do',
        isReached
          ? 'Rejected leads of authenticated senders are held: admit them under Held submissions.'
          : 'Spread the submissions out: above the limit they are rejected.',
      ],
    ),
    path: isReached
      ? diagnosticsPath(alarm, { surface, tab: 'limited' })
      : diagnosticsPath(alarm, { surface }),
  };
};

export const expiryNear: Writer = (alarm, evidence) => {
  const { reason, formId } = alarm;
  if (reason === 'overlap')
    return {
      title: `The former webhook secret of ${nameText(alarm.names, 'form')} ends within a day and is still used`,
      facts: facts(
        ['Valid until', evidence.time('ends_at')],
        ['Last used', evidence.time('last_used_at')],
        ['What to do', 'Give the new secret to the sender, or requests are rejected.'],
      ),
      path: formId === null ? '/forms' : `/forms/${formId}/delivery`,
    };
  return {
    title: `The token ${nameText(alarm.names, 'token')} expires ${withinDays(alarm)}`,
    facts: facts(
      ['Form', formId === null ? null : nameText(alarm.names, 'form')],
      ['Valid until', evidence.time('expires_at')],
      ['Last used', evidence.time('last_used_at')],
      [
        'What to do',
        evidence.flag('is_replaced') === true
          ? 'Give its successor to the sender, which still uses this one.'
          : 'Rotate the token and give its successor to the sender.',
      ],
    ),
    path: '/tokens',
  };
};

function withinDays({ reason }: ToldAlarm): string {
  const days = Number(/^days_(\d+)$/.exec(reason ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(days)) return 'soon';
  return days === 1 ? 'within a day' : `within ${numberText(days)} days`;
}

export const heldWaiting: Writer = (_, evidence) => {
  const count = evidence.number('count');
  return {
    title: 'Held submissions expire within 3 days',
    facts: facts(
      ['Waiting', count === null ? null : countText(count, 'submission')],
      ['First expires', evidence.time('first_expires_at')],
      ['What to do', 'Admit those that are leads, and discard the others.'],
    ),
    path: pathOf('/tokens/diagnostics/held'),
  };
};
