import type { AlarmView } from '../../src/contract/alarms/alarm.ts';
import { alarmSeverities, alarmSeverityTexts } from '../../src/contract/alarms/severities.ts';
import type { IconName } from './icons.tsx';
import { Tag, type Tone } from './tag.tsx';

type Severity = AlarmView['severity'];

export const severityTones: Readonly<Record<Severity, Tone>> = {
  high: 'bad',
  medium: 'warning',
  low: 'quiet',
};
const icons: Readonly<Record<Severity, IconName>> = { high: 'alert', medium: 'bell', low: 'clock' };

/** How bad it is. What is over is quiet. */
export function SeverityTag({ severity, isOver }: { severity: Severity; isOver?: boolean }) {
  return (
    <Tag tone={isOver ? 'quiet' : severityTones[severity]} icon={isOver ? 'check' : icons[severity]}>
      {alarmSeverityTexts[severity]}
      <span className="only-read"> severity</span>
    </Tag>
  );
}

/** The worst of several; null of none. */
export function worstOf(alarms: readonly { readonly severity: Severity }[]): Severity | null {
  const has = (severity: Severity) => alarms.some((alarm) => alarm.severity === severity);
  return alarmSeverities.find(has) ?? null;
}
