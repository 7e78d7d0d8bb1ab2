import type { z } from 'zod';
import type { newDestination } from '../../../contract/destinations/destination-settings.ts';
import type { Destination } from '../../../contract/destinations/destinations.ts';
import type { DestinationKind, Format } from '../../../domain/destination/destination.ts';
import type { DigestPeriod } from '../../../domain/destination/kind/digest.ts';
import type { ChatService } from '../../../domain/destination/kind/kind-settings.ts';
import type { Api } from '../../api.ts';
import { CliError } from '../../exit.ts';
import { findForm } from '../../find.ts';
import { durationSeconds } from '../../input.ts';
import { numberOption } from '../../options.ts';
import { readBytes } from '../../terminal/read-bytes.ts';

/** For every kind. */
interface CommonOptions {
  readonly kind: DestinationKind;
  readonly form?: readonly string[];
  readonly events?: Destination['events'];
  readonly filterFile?: string;
  readonly sendWhen?: Destination['send_when'];
  readonly wait?: string;
}

/** For some. */
interface KindOptions {
  readonly url?: string;
  readonly format?: Format;
  readonly headersFile?: string;
  readonly perSecond?: string;
  readonly mappingFile?: string;
  readonly recipient?: readonly string[];
  readonly every?: DigestPeriod;
  readonly hour?: string;
  readonly timeZone?: string;
  readonly linkOnly?: boolean;
  readonly service?: ChatService;
  readonly secretFile?: string;
}

export type NewDestinationOptions = CommonOptions & KindOptions;
type Body = z.input<typeof newDestination>;

interface KindRule {
  /** As in "A webhook needs --url". */
  readonly name: string;
  readonly needs: readonly (keyof KindOptions)[];
  readonly allows: readonly (keyof KindOptions)[];
}

const rules: Readonly<Record<DestinationKind, KindRule>> = {
  webhook: {
    name: 'A webhook',
    needs: ['url'],
    allows: ['format', 'headersFile', 'perSecond', 'mappingFile'],
  },
  email: { name: 'Email', needs: ['recipient'], allows: ['every', 'hour', 'timeZone', 'linkOnly'] },
  chat: { name: 'A chat', needs: ['service', 'secretFile'], allows: ['linkOnly'] },
  hubspot: { name: 'HubSpot', needs: ['secretFile', 'mappingFile'], allows: [] },
};

const flags: Readonly<Record<keyof KindOptions, string>> = {
  url: '--url',
  format: '--format',
  headersFile: '--headers-file',
  perSecond: '--per-second',
  mappingFile: '--mapping-file',
  recipient: '--recipient',
  every: '--every',
  hour: '--hour',
  timeZone: '--time-zone',
  linkOnly: '--link-only',
  service: '--service',
  secretFile: '--secret-file',
};

const secretBytesMax = 16 * 1024;

/** Refuses options that do not go together, before anything is read or asked. */
export function checkOptions(options: NewDestinationOptions): void {
  const { kind, every, hour, timeZone } = options;
  const { name, needs, allows } = rules[kind];
  const names = Object.keys(flags) as (keyof KindOptions)[];
  for (const option of names)
    if (options[option] !== undefined && !needs.includes(option) && !allows.includes(option))
      throw usage(otherKind(kind, option));
  for (const option of needs)
    if (options[option] === undefined) throw usage(`${name} needs ${flags[option]}.`);
  if (every !== 'day' && (hour !== undefined || timeZone !== undefined))
    throw usage('--hour and --time-zone are only for --every day.');
  if (hour !== undefined && !/^(?:\d|1\d|2[0-3])$/.test(hour))
    throw usage('--hour must be a whole number from 0 to 23.');
  const files = [options.filterFile, options.mappingFile, options.headersFile, options.secretFile];
  if (files.filter((path) => path === '-').length > 1) throw usage('Only one file can be standard input.');
}

function otherKind(kind: DestinationKind, option: keyof KindOptions): string {
  if (kind === 'chat' && option === 'url')
    return 'The URL of a chat is a secret, and other users of the machine can see arguments. Put it in a file, and use --secret-file.';
  const kinds = (Object.keys(rules) as DestinationKind[]).filter((one) =>
    [...rules[one].needs, ...rules[one].allows].includes(option),
  );
  return `${flags[option]} is only for --kind ${kinds.join(' and ')}.`;
}

/** Only what was given: the service has the defaults. */
export async function newDestinationOf(
  api: Api,
  workspaceId: string,
  name: string,
  options: NewDestinationOptions,
): Promise<Body> {
  const { form, events, filterFile, sendWhen, wait } = options;
  const forms = form && (await Promise.all(form.map((one) => findForm(api, workspaceId, one))));
  const common = {
    name,
    ...(forms === undefined ? {} : { form_ids: forms.map(({ id }) => id) }),
    ...(events === undefined ? {} : { events }),
    ...(filterFile === undefined ? {} : { filter: await jsonIn(filterFile) }),
    ...(sendWhen === undefined ? {} : { send_when: sendWhen }),
    ...(wait === undefined ? {} : { wait_max_s: durationSeconds(wait) }),
  };
  return { ...common, ...(await ofKind(options)) } as Body;
}

async function ofKind(options: NewDestinationOptions): Promise<object> {
  const { kind, mappingFile, perSecond } = options;
  const mapping = mappingFile === undefined ? {} : { mapping: await jsonIn(mappingFile) };
  switch (kind) {
    case 'webhook': {
      const { url, format, headersFile } = options;
      return {
        ...{ kind, url, ...mapping },
        ...(format === undefined ? {} : { format }),
        ...(headersFile === undefined ? {} : { headers: await jsonIn(headersFile) }),
        ...(perSecond === undefined ? {} : { per_second: numberOption('--per-second', perSecond) }),
      };
    }
    case 'email': {
      const { recipient, every, hour, timeZone } = options;
      return {
        ...{ kind, recipients: recipient, ...linkOnlyOf(options) },
        ...(every === undefined ? {} : { every }),
        ...(hour === undefined ? {} : { hour: Number(hour) }),
        ...(timeZone === undefined ? {} : { time_zone: timeZone }),
      };
    }
    case 'chat': {
      const { service, secretFile } = options;
      return { kind, service, url: await secretIn(secretFile as string), ...linkOnlyOf(options) };
    }
    case 'hubspot':
      return { kind, token: await secretIn(options.secretFile as string), ...mapping };
  }
}

function linkOnlyOf({ linkOnly }: KindOptions): object {
  return linkOnly === undefined ? {} : { link_only: linkOnly };
}

async function secretIn(path: string): Promise<string> {
  const secret = (await readBytes(path, secretBytesMax)).toString('utf8').trim();
  if (secret === '') throw usage(`${path === '-' ? 'Standard input' : path} is empty.`);
  return secret;
}

/** The service checks what is in it. */
// biome-ignore lint/suspicious/noExplicitAny: JSON that someone wrote.
async function jsonIn(path: string): Promise<any> {
  const text = (await readBytes(path)).toString('utf8');
  try {
    return JSON.parse(text);
  } catch {
    throw usage(`${path} is not JSON.`);
  }
}

function usage(text: string): CliError {
  return new CliError('usage', text);
}
