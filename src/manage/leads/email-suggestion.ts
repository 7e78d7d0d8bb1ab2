import type { ListedLeadRecord } from '../../db/leads/lead-rows.ts';
import { parseEmail } from '../../domain/score/reading/email.ts';

type Told = Pick<ListedLeadRecord, 'mistypedEmail' | 'reasons' | 'enrichment'>;

/** The email address that was probably meant. The scorer sees it in every lead, enrichment only in clean ones. */
export function suggestedEmail({ mistypedEmail, reasons, enrichment }: Told): string | null {
  const slip = reasons.find(({ code }) => code === 'EMAIL_TYPO');
  const address = mistypedEmail === null ? null : parseEmail(mistypedEmail);
  if (slip?.evidence !== undefined && address !== null) return `${address.local}@${slip.evidence}`;
  const email = enrichment?.email as { readonly suggestion?: string } | undefined;
  return email?.suggestion ?? null;
}
