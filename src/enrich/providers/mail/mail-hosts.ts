import { readTable } from '../../../domain/words/word-table.ts';

/** Names by the end of a host name. */
type HostTable = Map<string, string>;

const providers: HostTable = new Map();
const gateways: HostTable = new Map();
const throwAwayServers: HostTable = new Map();

readTable(new URL('mail-hosts.txt', import.meta.url), (suffix, section) => {
  const [, kind, name] = /^(provider|gateway) (.+)$/.exec(section) ?? [];
  if (name === undefined && section !== 'throw-away') throw new Error(`unknown section [${section}]`);
  const table = kind === 'provider' ? providers : kind === 'gateway' ? gateways : throwAwayServers;
  if (table.has(suffix)) throw new Error(`"${suffix}" is already in the table`);
  table.set(suffix, name ?? suffix);
});

export const mailProviderOf = (host: string) => bySuffix(providers, host);
/** A filter in front of the mailbox. */
export const mailGatewayOf = (host: string) => bySuffix(gateways, host);
export const isListedThrowAwayServer = (host: string) => bySuffix(throwAwayServers, host) !== null;

export function plainHost(host: string): string {
  return host.toLowerCase().replace(/\.$/, '');
}

/** The longest match, compared at dots: notgoogle.com does not end in google.com. */
function bySuffix(table: ReadonlyMap<string, string>, host: string): string | null {
  const labels = plainHost(host).split('.');
  for (let i = 0; i < labels.length; i++) {
    const name = table.get(labels.slice(i).join('.'));
    if (name !== undefined) return name;
  }
  return null;
}
