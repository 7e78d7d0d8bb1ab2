import type { DestinationRecord } from '../../../db/deliver/destinations.ts';
import {
  type ChatConfig,
  type ChatService,
  chatServices,
  kindPerSecond,
} from '../../../domain/destination/kind/kind-settings.ts';
import { invalidInput } from '../../calls/problem.ts';
import { requireUrl } from '../destination-checks.ts';
import type { ManagedKind } from './managed-kind.ts';

const own = { mapping: [], headersCiphertext: null, perSecond: kindPerSecond.chat };

/** Its URL is a secret: nothing but its host is shown, and a URL that is refused is not repeated. */
export const chatKind: ManagedKind<'chat'> = {
  members: ['service', 'url', 'link_only'],
  async create(deps, _id, { service, url, link_only: linkOnly }) {
    await requireUrl(deps, url);
    requireService(service, new URL(url));
    const { host } = new URL(url);
    return { kind: 'chat', config: { service, host, linkOnly }, ...own, secret: url };
  },
  async check(deps, _before, { url }) {
    if (url !== undefined) await requireUrl(deps, url);
  },
  change(_deps, before, changes) {
    const config = configOf(before);
    const { service = config.service, url, link_only: linkOnly = config.linkOnly } = changes;
    const host = url === undefined ? config.host : new URL(url).host;
    if (url !== undefined) requireService(service, new URL(url));
    else requireHostOf(service, new URL(`https://${host}`).hostname);
    return {
      kind: 'chat',
      config: { service, host, linkOnly },
      ...own,
      secret: url ?? null,
      isOtherPlace: url !== undefined || service !== config.service,
    };
  },
};

function configOf(record: DestinationRecord): ChatConfig {
  if (record.kind !== 'chat') throw new Error('not a chat');
  return record.config;
}

interface KnownUrls {
  readonly name: string;
  /** Without its port; null if anyone can run a server. */
  readonly hosts: RegExp | null;
  /** On these hosts. */
  readonly paths: RegExp;
  readonly example: string;
}

const knownUrls: Readonly<Record<ChatService, KnownUrls>> = {
  slack: {
    name: 'Slack',
    hosts: /^hooks\.slack(-gov)?\.com$/,
    // Workflows of Slack have URLs there, too, but accept nothing but variables.
    paths: /^\/services\/./,
    example: 'https://hooks.slack.com/services/…',
  },
  mattermost: { name: 'Mattermost', hosts: null, paths: /./, example: 'https://<your server>/hooks/…' },
  teams: {
    name: 'Microsoft Teams',
    hosts:
      /(^|\.)(logic\.azure\.(com|us|cn)|powerplatform\.(com|us|cn)|webhook\.office\.com)$|^outlook\.office\.com$/,
    paths: /./,
    example: 'https://….logic.azure.com/workflows/…',
  },
  discord: {
    name: 'Discord',
    hosts: /^((ptb|canary)\.)?discord(app)?\.com$/,
    // What follows the token would make it expect the format of another service.
    paths: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/,
    example: 'https://discord.com/api/webhooks/…',
  },
};

/** A message for one service means nothing to another. Hosts that no service owns may be proxies, so they can be of any. */
function requireService(service: ChatService, { hostname, pathname }: URL): void {
  const { name, hosts, paths, example } = knownUrls[service];
  const owner = ownerOf(hostname);
  if (owner !== null && owner !== service)
    throw invalidInput([
      {
        field: 'url',
        message: `belongs to ${knownUrls[owner].name}, not to ${name}. Choose the service ${owner}, or use another URL`,
      },
    ]);
  if (hosts?.test(hostname) && !paths.test(pathname))
    throw invalidInput([
      { field: 'url', message: `is not of an incoming webhook of ${name}, which looks like ${example}` },
    ]);
}

/** When only the service changes. */
function requireHostOf(service: ChatService, hostname: string): void {
  const owner = ownerOf(hostname);
  if (owner === null || owner === service) return;
  const message = `the URL belongs to ${knownUrls[owner].name}. Send the new URL, too`;
  throw invalidInput([{ field: 'service', message }]);
}

function ownerOf(hostname: string): ChatService | null {
  return chatServices.find((service) => knownUrls[service].hosts?.test(hostname)) ?? null;
}
