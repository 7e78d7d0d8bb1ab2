/** Both generators send the same requests, byte for byte, to every target. */
const ingestPath = '/api/v1/ingest';

const names = [
  'Maria Keller',
  'Jonas Weber',
  'Aisha Rahman',
  'Tom Okafor',
  'Lena Novak',
  'Pedro Alves',
  'Mei Chen',
];
export const firms = [
  'Brightwater Logistics',
  'Harbor Dental',
  'Nordlicht Solar',
  'Cobalt Freight',
  'Alder & Finch',
];
const mailDomains = [
  'brightwater.io',
  'gmail.com',
  'nordlicht.de',
  'cobaltfreight.com',
  'outlook.com',
  'alderfinch.co.uk',
];
const questions = [
  'We ship about forty pallets a week and would like a quote for next quarter.',
  'Could somebody call me about the team plan? We are twelve people.',
  'Looking for a demo on Thursday, preferably before noon.',
];
const campaigns = ['spring-launch', 'brand-search', 'retargeting-eu', 'newsletter-14'];

/** A lead of about 300 bytes. Leads differ by their number, so that no cache of whole bodies can help a target. */
export function leadBody(number: number): string {
  const name = pick(names, number);
  return JSON.stringify({
    name,
    email: `${name.toLowerCase().replace(' ', '.')}${number}@${pick(mailDomains, number)}`,
    company: pick(firms, number),
    phone: `+49 30 90${String(10_000 + number * 7)}`,
    message: pick(questions, number),
    utm_source: 'google',
    utm_medium: 'cpc',
    utm_campaign: pick(campaigns, number),
  });
}

/** A request is `plain`, or `keyed + <unique key> + rest`. All text is ASCII, so lengths are bytes. */
export interface RequestParts {
  readonly plain: string;
  readonly keyed: string;
  readonly rest: string;
}

export function requestParts(port: number, token: string, number: number): RequestParts {
  const body = leadBody(number);
  const head = [
    `POST ${ingestPath} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ].join('\r\n');
  return {
    plain: `${head}\r\n\r\n${body}`,
    keyed: `${head}\r\nX-SVC-Idempotency-Key: `,
    rest: `\r\n\r\n${body}`,
  };
}

function pick(list: readonly string[], number: number): string {
  return list[number % list.length] as string;
}
