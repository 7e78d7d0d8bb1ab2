import { classifyDomain } from '../../../domain/score/reading/email.ts';
import { bySuffix, mailGatewayOf, mailProviderOf, plainHost } from './mail-hosts.ts';

/**
 * Mail servers behind which services change their domains faster than any list follows. Written by hand; left out are
 * servers that also take the mail of ordinary companies, of forwarding services, and of domains that are merely parked.
 */
const servers: Readonly<Record<string, string>> = Object.fromEntries(
  `wabblywabble.com wallywatts.com generator.email emailfake.com email-fake.com tempm.com unstablemail.com beavis99.com
  beavis99.net emlhub.com spymail.one yopmail.com cleantempmail.com gravityengine.cc tinyhost.shop email.chatgpt.org.uk
  mailinator.com mail.tm mail.gw mail.cx temp-mail.io temp-mail.org 1secmail.com 10minutemail.com moakt.com discard.email
  den.yt icdn.be mailnesia.com guerrillamail.com sharklasers.com maildrop.cc dropmail.me getnada.com mohmal.com
  dispostable.com trashmail.com mailsac.com mailcatch.com tempmailo.com emailondeck.com throwawaymail.com erinn.biz
  tempmail.cc tempmailt.com onetimemail.org incognitomail.co emaildbox.pro papierkorb.me mailto.plus tempmail.plus`
    .split(/\s+/)
    .map((suffix) => [suffix, suffix]),
);

/** True for a server of the table, and for one that stands under a domain on the list of throw-away domains. */
export function isThrowAwayServer(host: string): boolean {
  if (bySuffix(servers, host) !== null) return true;
  if (mailProviderOf(host) !== null || mailGatewayOf(host) !== null) return false;
  const name = plainHost(host);
  return name.includes('.') && classifyDomain(name) === 'disposable';
}
