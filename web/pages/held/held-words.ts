import type { HeldSubmission } from '../../../src/contract/held/held.ts';
import { numberText } from '../../parts/numbers.ts';

type HeldClass = HeldSubmission['class'];

export const classNames: Readonly<Record<HeldClass, string>> = {
  A: 'Proven',
  B: 'Proven, with a formal error',
  C: 'No lead',
  D: 'Not proven',
  E: 'Known sender',
};

export const classTexts: Readonly<Record<HeldClass, string>> = {
  A: 'The sender proved who they are, and the request would have been a lead. It can be admitted.',
  B: 'The sender proved who they are, and only a header was wrong. It can be admitted, without an idempotency key.',
  C: 'The sender proved who they are, but the body cannot become a lead. You can copy it.',
  D: 'It has no signature that matches the secret of the form, so anyone may have sent it. It can be admitted once its signature matches.',
  E: 'A known sender proved itself by its own scheme. Calls that Leadgate can read become a lead with flat fields when they are admitted; the others can be copied.',
};

export const stateNames: Readonly<Record<HeldSubmission['state'], string>> = {
  held: 'Held',
  admitted: 'Admitted',
  discarded: 'Discarded',
};

/** "812 B", "12.3 KB" */
export function sizeText(bytes: number): string {
  if (bytes < 1_024) return `${numberText(bytes)} B`;
  const kilobytes = bytes / 1_024;
  return kilobytes < 1_024
    ? `${numberText(Math.round(kilobytes * 10) / 10)} KB`
    : `${numberText(Math.round(kilobytes / 102.4) / 10)} MB`;
}
