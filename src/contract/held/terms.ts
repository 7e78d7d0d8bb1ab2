import { heldDaysDefault, heldDaysMax } from '../../domain/held/held-bounds.ts';
import { type RejectionReason, rejectionReasons } from '../../domain/rejection.ts';

/** What the settings area needs of held submissions, without the schemas. */
export { heldDaysDefault, heldDaysMax };

/** What happened in a sentence, and how to fix it. */
export const rejectionTexts = Object.fromEntries(
  rejectionReasons.map(({ code, text, fix }) => [code, { text, fix }]),
) as Readonly<Record<RejectionReason, { readonly text: string; readonly fix: string }>>;
