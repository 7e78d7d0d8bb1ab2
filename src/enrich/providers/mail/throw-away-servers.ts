import { classifyDomain, disposableServices } from '../../../domain/score/reading/email.ts';
import { isListedThrowAwayServer, mailGatewayOf, mailProviderOf, plainHost } from './mail-hosts.ts';

/** True for a server in the table, or under the domain of a disposable email service. */
export function isThrowAwayServer(host: string): boolean {
  if (isListedThrowAwayServer(host)) return true;
  if (mailProviderOf(host) !== null || mailGatewayOf(host) !== null) return false;
  const name = plainHost(host);
  return name.includes('.') && classifyDomain(name, disposableServices) === 'disposable';
}
