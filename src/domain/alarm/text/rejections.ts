import {
  countText,
  type EvidenceReader,
  facts,
  fixText,
  nameText,
  numberText,
  reasonText,
} from './reading.ts';
import { diagnosticsPath, type ToldAlarm, type Writer } from './told-alarm.ts';

export const allRejected: Writer = (alarm, evidence) => {
  const reasons = reasonsOf(evidence);
  const [main] = reasons;
  return {
    title: `All leads ${sourceText(alarm)} are rejected`,
    facts: [
      ...facts(['Rejected', countWithin(evidence, 'rejected')]),
      ...reasons.map(({ reason, count }) => ({
        label: 'Reason',
        value: `${reasonText(reason)}${count === null ? '' : ` (${numberText(count)})`}`,
      })),
      ...facts(
        ['Last accepted lead', evidence.time('last_accepted_at')],
        ['What to do', fixText(main?.reason ?? null)],
      ),
    ],
    path: diagnosticsPath(alarm, { reason: reasons.length === 1 ? (main?.reason ?? null) : null }),
  };
};

export const afterChange: Writer = (alarm, evidence) => {
  const change = evidence.within('change');
  return {
    title: afterChangeTitle(alarm),
    facts: facts(
      ['Change', change.text('text') ?? change.text('action')],
      ['Changed', change.time('at')],
      ['Changed by', change.text('by')],
      ['Rejected since', evidence.count('rejected')],
      ['First rejected', evidence.time('first_at')],
      ['Reason', reasonText(alarm.reason)],
      ['What to do', fixText(alarm.reason)],
    ),
    path: diagnosticsPath(alarm, { reason: alarm.reason }),
  };
};

function afterChangeTitle(alarm: ToldAlarm): string {
  switch (alarm.reason) {
    case 'workspace_suspended':
      return 'Leads are rejected since the workspace was suspended';
    case 'token_revoked':
      return `Leads ${sourceText(alarm)} are rejected since the token was replaced or revoked`;
    case 'secret_not_configured':
      return `Leads ${sourceText(alarm)} are rejected since the webhook secret was removed`;
    case 'signature_mismatch':
      return `Leads ${sourceText(alarm)} are rejected since the webhook secret was changed`;
    case 'form_inactive':
      return `Leads ${sourceText(alarm)} are rejected since the form was deactivated`;
    case 'form_unknown':
      return alarm.formId === null
        ? `Leads ${sourceText(alarm)} are rejected since the form was moved or deleted`
        : `Leads ${sourceText(alarm)} are rejected since its slug was changed`;
    case 'browser_disabled':
    case 'origin_not_allowed':
      return `Leads from web pages ${sourceText(alarm)} are rejected since the settings were changed`;
    default:
      return `Leads ${sourceText(alarm)} are rejected since a change of the settings`;
  }
}

export const rejectSpike: Writer = (alarm, evidence) => {
  const isProven = evidence.flag('is_proven');
  const usual = evidence.number('usual');
  return {
    title: `More requests ${sourceText(alarm)} are rejected than usual`,
    facts: facts(
      ['Reason', reasonText(alarm.reason)],
      ['Rejected', countWithin(evidence, 'rejected')],
      ['Accepted meanwhile', evidence.count('accepted')],
      ['Usually rejected', usual === null ? null : withinText(usual, evidence)],
      ['Senders', isProven === null ? null : isProven ? provenText : unprovenText],
      ['What to do', fixText(alarm.reason)],
    ),
    path: diagnosticsPath(alarm, { reason: alarm.reason }),
  };
};

const provenText = 'Authenticated';
const unprovenText = 'Not authenticated: anyone who knows the URL can send such requests.';

/** `for Contact form`, `from the token Backend for Contact form`, or nothing for the whole workspace. */
export function sourceText({ formId, tokenId, names }: ToldAlarm): string {
  const form = formId === null && names?.form === undefined ? null : `for ${nameText(names, 'form')}`;
  const token = tokenId === null ? null : `from the token ${nameText(names, 'token')}`;
  const parts = [token, form].filter((part) => part !== null);
  return parts.length === 0 ? 'of the workspace' : parts.join(' ');
}

interface ReasonCount {
  readonly reason: string;
  readonly count: number | null;
}

const reasonsMax = 5;

function reasonsOf(evidence: EvidenceReader): ReasonCount[] {
  return evidence
    .list('reasons')
    .flatMap((one): ReasonCount[] => {
      const reason = one.text('reason');
      return reason === null ? [] : [{ reason, count: one.number('count') }];
    })
    .toSorted((a, b) => (b.count ?? 0) - (a.count ?? 0))
    .slice(0, reasonsMax);
}

function countWithin(evidence: EvidenceReader, key: string): string | null {
  const count = evidence.number(key);
  return count === null ? null : withinText(count, evidence);
}

/** `412 in 30 minutes`. */
export function withinText(count: number, evidence: EvidenceReader): string {
  const minutes = evidence.number('minutes');
  return minutes === null ? numberText(count) : `${numberText(count)} in ${countText(minutes, 'minute')}`;
}
