import { lineOf } from '../domain/destination/message/plain-text.ts';

/** What the mail server said about an email. */
export interface MailReply {
  readonly isAccepted: boolean;
  /** True if it is about this email or its recipient. Otherwise no other email would have been accepted. */
  readonly isAboutRecipient: boolean;
  /** The reply code; null if there was no reply. */
  readonly status: number | null;
  /** One line, for the owner of the destination. Says nothing about the mail server that only its operator should know. */
  readonly text: string;
}

const textCharactersMax = 300;

export const mailIsOff = noReply('This service has no mail server: its operator has to set SMTP_URL.');
export const interrupted = noReply('The mail server did not accept the email in time.');

export function replyOf({ response = '250' }: { readonly response?: string | undefined }): MailReply {
  const status = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
  return { isAccepted: true, isAboutRecipient: true, status, text: lineOf(response, textCharactersMax) };
}

/** As nodemailer describes it. */
interface MailError {
  readonly code?: unknown;
  readonly command?: unknown;
  readonly response?: unknown;
  readonly responseCode?: unknown;
}

export function replyToError(error: unknown): MailReply {
  const { code, command, response, responseCode } = (error ?? {}) as MailError;
  const status = typeof responseCode === 'number' ? responseCode : null;
  const isAboutEmail = code === 'EMESSAGE' || (code === 'EENVELOPE' && command !== 'MAIL FROM');
  // With 421 it closes the connection, whatever was sent.
  if (isAboutEmail && status !== 421) {
    const text = typeof response === 'string' ? response : 'The address is not valid.';
    return { isAccepted: false, isAboutRecipient: true, status, text: lineOf(text, textCharactersMax) };
  }
  return { ...noReply(serverText(code, status)), status };
}

function serverText(code: unknown, status: number | null): string {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'Signing in to the mail server failed.';
  if (code === 'ETIMEDOUT') return 'The mail server did not respond in time.';
  return status === null
    ? 'The mail server could not be reached.'
    : `The mail server refuses emails of this service with ${status}.`;
}

function noReply(text: string): MailReply {
  return { isAccepted: false, isAboutRecipient: false, status: null, text };
}
