import { describe, expect, test } from 'vitest';
import { createSearch, type Passage } from '../../site/browser/search-match.ts';
import { readSections } from '../../site/pages.ts';
import { renderPage } from '../../site/render.ts';
import { searchPassages } from '../../site/search-index.ts';

/** The index of the real pages, as a browser builds it. */
const pages = readSections().flatMap((section) => section.pages);
const sources = new Set(pages.map(({ source }) => source));
const passages = pages.flatMap((page) =>
  searchPassages(page, renderPage(page.source, page.markdown, sources)),
);
const search = createSearch(passages);

const pageOf = ({ address }: Passage) => address.replace(/#.*$/, '');
const firstPages = (query: string) =>
  search(query)
    .slice(0, 3)
    .map(({ passage }) => pageOf(passage));

describe('among the first three results', () => {
  test.each([
    ['rate limiting', '/docs/limits'],
    ['idempotent', '/docs/idempotency'],
    ['nginx', '/docs/install'],
    ['pagination', '/docs/api'],
    ['monitoring', '/docs/metrics'],
    ['why was my lead rejected', '/docs/troubleshooting'],
    ['reverse proxy', '/docs/install'],
    ['throttling', '/docs/limits'],
    ['prometheus', '/docs/metrics'],
    ['duplicate leads', '/docs/idempotency'],
    ['docker', '/docs/install'],
    ['environment variables', '/docs/configuration'],
    ['error codes', '/docs/error-codes'],
    ['too_many_in_progress', '/docs/error-codes'],
    ['leadgate_spool_bytes', '/docs/metrics'],
    ['how do I upgrade', '/docs/upgrading'],
    ['rollback', '/docs/upgrading'],
    ['backup systemd', '/docs/backup'],
    ['pg_dump', '/docs/backup'],
    ['hmac', '/docs/signing'],
    ['python sample', '/docs/signing'],
    ['forgot password', '/docs/accounts'],
    ['invite a user', '/docs/accounts'],
    ['spam score', '/docs/scoring'],
    ['honeypot', '/docs/scoring'],
    ['refused', '/docs/rejection-reasons'],
    ['rotate a secret', '/docs/settings-area'],
    ['DATABASE_URL', '/docs/configuration'],
    ['zapier', '/docs/recipes/zapier'],
  ])('"%s" finds %s', (query, address) => {
    expect(firstPages(query)).toContain(address);
  });
});

test.each([
  ['signature_mismatch', '/docs/rejection-reasons#signature_mismatch'],
  ['timestamp outside window', '/docs/rejection-reasons#timestamp_outside_window'],
])('"%s" finds its section %s first', (query, address) => {
  expect(search(query)[0]?.passage.address).toBe(address);
});

describe('despite a typo', () => {
  test.each([
    ['ratelimt', '/docs/limits'],
    ['rate limting', '/docs/limits'],
    ['idempotancy', '/docs/idempotency'],
    ['webook signature', '/docs/webhook'],
    ['paginaton', '/docs/api'],
    ['promethues', '/docs/metrics'],
    ['troubelshooting', '/docs/troubleshooting'],
    ['enrichement', '/docs/enrichment'],
    ['configuraton', '/docs/configuration'],
  ])('"%s" finds %s', (query, address) => {
    expect(firstPages(query)).toContain(address);
  });
});

describe('while the user is typing', () => {
  test.each([
    ['idempo', '/docs/idempotency'],
    ['quickst', '/docs/quickstart'],
    ['troubl', '/docs/troubleshooting'],
    ['enrich', '/docs/enrichment'],
  ])('"%s" finds %s', (query, address) => {
    expect(firstPages(query)).toContain(address);
  });
});

test('no page fills the list of results alone', () => {
  for (const query of ['lead', 'token', 'signature']) {
    const found = search(query).map(({ passage }) => pageOf(passage));
    expect(new Set(found).size).toBeGreaterThanOrEqual(4);
  }
});

test('an unknown word and an empty query have no results', () => {
  for (const query of ['', '   ', '?!', 'zzzzqqqq']) expect(search(query)).toEqual([]);
});

test('an excerpt shows the matching words', () => {
  expect(search('CSV formula')[0]?.excerpt.toLowerCase()).toMatch(/csv|formula/);
});

test('hostile queries are treated as words', () => {
  const long = 'signature '.repeat(2_000);
  for (const query of ['__proto__ constructor', '<img src=x onerror=alert(1)>', '\\', long])
    expect(Array.isArray(search(query))).toBe(true);
});
