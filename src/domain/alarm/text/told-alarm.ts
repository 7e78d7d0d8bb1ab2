import { hourMs } from '../../../time/clock.ts';
import type { Alarm } from '../alarm.ts';
import type { EvidenceReader, Fact } from './reading.ts';
import { pathOf } from './reading.ts';

/** What people read about an alarm: on the page, in messages and on the command line. Nothing in it is escaped. */
export interface AlarmText {
  /** One line: what is wrong, and with what. */
  readonly title: string;
  readonly facts: readonly Fact[];
  /** Where the settings area shows more, below `/w/:workspace_id` or, for the instance, from the root. */
  readonly path: string;
}

export type ToldAlarm = Omit<Alarm, 'acknowledgedAt' | 'acknowledgedBy' | 'reminders' | 'lastAt'>;

/** Writes about alarms of one kind. */
export type Writer = (alarm: ToldAlarm, evidence: EvidenceReader) => AlarmText;

// What led to an alarm was some time before it.
const beforeMs = hourMs;

/** Diagnostics of the source of an alarm, from shortly before it. */
export function diagnosticsPath(
  { formId, tokenId, openedAt }: ToldAlarm,
  filters: Readonly<Record<string, string | null>> = {},
): string {
  const from = new Date(openedAt.getTime() - beforeMs).toISOString();
  return pathOf('/tokens/diagnostics', { form_id: formId, token_id: tokenId, ...filters, from });
}
