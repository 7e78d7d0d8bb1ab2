import { classifyDomain, type EmailClass, parseEmail } from '../../domain/score/email.ts';

export function emailFacts(address: string | undefined): { domain: string; class: EmailClass } | null {
  const email = address === undefined ? null : parseEmail(address);
  return email === null ? null : { domain: email.domain, class: classifyDomain(email.domain) };
}
