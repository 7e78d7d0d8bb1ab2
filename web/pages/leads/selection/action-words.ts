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
  person: 'Stopped',
  permission: 'Stopped, because the person or key that started it may no longer do this,',
  failure: 'Stopped by an error',
};

/** How far an action is, or how it ended. */
export function progressText(action: LeadAction): string {
  const { state, stop_reason, total, is_total_exact, done, changed, created_by } = action;
  const all = sizeText({ count: total, is_exact: is_total_exact });
  if (state === 'running')
    return `${doingText(action, all)}: ${numberText(done)} done. Started by ${created_by}.`;
  const stopped =
    stop_reason === null ? '' : `${stopTexts[stop_reason]} after ${numberText(done)} of ${all}. `;
  return `${stopped}${doneText(action, countText(changed, 'lead'), changed === 1)}${leftText(action)}`;
}

function doneText({ action, mark }: LeadAction, leads: string, isOne: boolean): string {
  if (action === 'erasure') return `${leads} erased.`;
  if (action === 'undo') return `The marks of ${leads} were undone.`;
  if (mark === null) return `The ${isOne ? 'mark' : 'marks'} of ${leads} removed.`;
  return `${leads} marked as ${mark === 'spam' ? 'spam' : 'not spam'}.`;
}

function leftText({ action, done, changed }: LeadAction): string {
  const left = done - changed;
  if (left <= 0) return '';
  const were = `${numberText(left)} ${left === 1 ? 'was' : 'were'}`;
  if (action === 'erasure') return ` ${were} erased by someone else before.`;
  if (action === 'undo') return ` ${were} left as they are: someone marked or erased them since.`;
  return ` ${were} left out: marked like this already, or erased meanwhile.`;
}
