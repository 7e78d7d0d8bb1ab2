import type { LeadAction } from '../../../../src/contract/leads/actions.ts';
import { countText, numberText } from '../../../parts/numbers.ts';

interface Size {
  readonly count: number;
  readonly is_exact: boolean;
}

/** "12 leads", "at least 5,000 leads" */
export const sizeText = ({ count, is_exact }: Size) =>
  `${is_exact ? '' : 'at least '}${countText(count, 'lead')}`;

/** "Marking 12 leads as spam" */
export function doingText({ action, mark }: Pick<LeadAction, 'action' | 'mark'>, leads: string): string {
  if (action === 'erasure') return `Erasing ${leads}`;
  if (action === 'undo') return `Undoing the marks of ${leads}`;
  if (mark === null) return `Removing the marks from ${leads}`;
  return `Marking ${leads} as ${mark === 'spam' ? 'spam' : 'not spam'}`;
}

const stopTexts: Record<NonNullable<LeadAction['stop_reason']>, string> = {
  person: '',
  permission: ', because the person or key that started it no longer has the permission',
  failure: ', because of an error',
};

/** How far an action is, or how it ended. */
export function progressText(action: LeadAction): string {
  const { state, stop_reason, total, is_total_exact, done, changed, created_by } = action;
  const all = sizeText({ count: total, is_exact: is_total_exact });
  if (state === 'running')
    return `${doingText(action, all)}: ${numberText(done)} done. Started by ${created_by}.`;
  const stopped =
    stop_reason === null ? '' : `Stopped after ${numberText(done)} of ${all}${stopTexts[stop_reason]}. `;
  return `${stopped}${doneText(action, countText(changed, 'lead'), changed === 1)}${leftText(action)}`;
}

function doneText({ action, mark }: LeadAction, leads: string, isOne: boolean): string {
  if (action === 'erasure') return `${leads} erased.`;
  if (action === 'undo') return `The marks of ${leads} were undone.`;
  if (mark === null) return `${isOne ? 'Mark' : 'Marks'} removed from ${leads}.`;
  return `${leads} marked as ${mark === 'spam' ? 'spam' : 'not spam'}.`;
}

function leftText({ action, done, changed }: LeadAction): string {
  const left = done - changed;
  if (left <= 0) return '';
  const were = `${numberText(left)} ${left === 1 ? 'was' : 'were'}`;
  if (action === 'erasure') return ` ${were} already erased.`;
  if (action === 'undo') return ` ${were} left unchanged: marked again or erased since.`;
  return ` ${were} left out: already marked like this, or erased in the meantime.`;
}
