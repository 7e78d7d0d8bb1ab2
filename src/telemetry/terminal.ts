import { join } from 'node:path';
import { styleText } from 'node:util';
import type { Config } from '../config.ts';
import { utcDay } from '../time/clock.ts';

interface StarterCredentials {
  readonly slug: string;
  readonly token: string;
  readonly secret: string;
  readonly validUntil: number;
}

/** Standard output is for the person who started the service; logs go to standard error. */
export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** True when standard output is a terminal, not a log or a pipe that others may read. */
export function isSeenByPerson(): boolean {
  return process.stdout.isTTY === true;
}

const bold = (text: string) => styleText('bold', text, { stream: process.stdout });
const faint = (text: string) => styleText('dim', text, { stream: process.stdout });

/** Shown while useful: the starter for an empty database, the link until someone has an account. */
export interface FirstThings {
  readonly starter: StarterCredentials | null;
  readonly setupLink: string | null;
}

/** `further` follows the URLs: the first things, or where to find them. */
export function greeting(config: Config, url: string, further: readonly string[]): string {
  const lines = [
    '',
    `${bold('Leadgate')} is ready at ${bold(url)}`,
    faint(config.databaseUrl === null ? `  data      ${config.dataDir}` : '  database  DATABASE_URL'),
    faint(`  docs      ${url}/docs`),
    faint(`  API       ${url}/api/reference`),
    faint(`  key       ${operatorKeyPlace(config)}`),
    '',
    ...further,
    'Press Ctrl-C to stop.',
  ];
  return lines.join('\n');
}

function operatorKeyPlace(config: Config): string {
  return config.hasOwnOperatorKey ? 'OPERATOR_KEY' : join(config.dataDir, 'operator.key');
}

/** Contains secrets: only for a terminal or a private file. */
export function firstThings(config: Config, url: string, { starter, setupLink }: FirstThings): string[] {
  return [
    ...(setupLink === null
      ? []
      : [
          bold('Create your account and become the operator (the link works once, within 24 hours):'),
          '',
          setupLink,
          '',
        ]),
    ...(starter === null ? [] : firstSteps(config, url, starter)),
  ];
}

/** Both are clean and score well, although their email domain is reserved for examples. Twice the same lead would be suspect. */
const firstLeads = [
  {
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    phone: '+44 20 7946 0958',
    title: 'Head of Operations',
    company: 'Analytical Engines',
    message: 'Please send us a quote for 200 licences. Can you call me this week?',
  },
  {
    name: 'Grace Hopper',
    email: 'grace@example.com',
    phone: '+1 212 555 2368',
    title: 'Director of Engineering',
    company: 'Flow-Matic',
    message: 'What does the yearly plan cost for a team of 40 people? We would like a demo next week.',
  },
];

/** Commands to paste. Their credentials cannot be shown again. */
function firstSteps(
  { headerPrefix }: Config,
  url: string,
  { slug, token, secret, validUntil }: StarterCredentials,
): string[] {
  const [first, second] = firstLeads.map((lead) => `'${JSON.stringify(lead)}'`);
  return [
    bold(`Send your first lead with a token (valid until ${utcDay(validUntil)}, shown only once):`),
    '',
    `curl ${url}/api/v1/ingest \\`,
    `  -H 'Authorization: Bearer ${token}' \\`,
    `  -H 'Content-Type: application/json' \\`,
    `  -d ${first}`,
    '',
    bold('Or sign it, as a webhook provider would:'),
    '',
    `body=${second}; time=$(date +%s)`,
    `signature=$(printf '%s.%s' "$time" "$body" | openssl dgst -sha256 -hmac '${secret}' | sed 's/^.* //')`,
    `curl ${url}/api/v1/ingest/${slug} \\`,
    `  -H "${headerPrefix}Timestamp: $time" -H "${headerPrefix}Signature: $signature" \\`,
    `  -H 'Content-Type: application/json' -d "$body"`,
    '',
  ];
}
