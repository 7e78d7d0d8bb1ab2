import { expect, test } from 'vitest';
import { loadScoringData } from '../data.ts';
import { domainHash, HashedDomains } from '../models/abuse-domains.ts';
import { domainShape } from '../models/domain-shape.ts';
import { classifyDomain, disposableDomains } from '../reading/email.ts';
import type { Score } from '../score.ts';
import { createScorer } from '../scorer.ts';
import { lookAgain } from '../second-look.ts';
import { compileScoring } from '../settings/compile.ts';
import { defaultScoringSettings } from '../settings/settings.ts';
import { storedReasons } from '../stored-reasons.ts';
import { freeDomains, relayDomains } from '../tables/mail-domains.ts';

const data = loadScoringData();
const scorer = createScorer(data);
const form = compileScoring(defaultScoringSettings, [], 0);
const words = (text: string) => text.trim().split(/\s+/);
const scoreOf = (domain: string, more: Record<string, string> = {}) =>
  scorer.score(
    { name: 'Anna Miller', email: `anna.miller@${domain}`, message: 'Please call me back.', ...more },
    form,
    { now: 0 },
  );
const domainCodes = (domain: string) =>
  scoreOf(domain)
    .reasons.map(({ code }) => code)
    .filter((code) => code.startsWith('EMAIL_'));

test.each(
  words(`fastmail.fm sent.com 123mail.org proton.me tuta.com zohomail.in gmx.li engineer.com consultant.com europe.com yandex.eu
  netcourrier.com btopenworld.com voila.fr libero.it spoluzaci.cz autograf.pl dir.bg hanmail.net vsnl.com bigpond.net telusplanet.net
  mail2kelly.com in-ulm.de`),
)('people with a free address at %s get no finding about it', (domain) => {
  expect(classifyDomain(domain)).toBe('free');
  expect(domainCodes(domain)).toEqual([]);
});

test.each(
  words(`duck.com mozmail.com privaterelay.appleid.com relay.firefox.com simplelogin.com aleeas.com addy.io anonaddy.me passmail.net
  opayq.com guest.booking.com`),
)('%s forwards to a real mailbox, whatever lists of disposable domains say', (domain) => {
  expect(classifyDomain(domain)).toBe('relay');
  expect(domainCodes(domain)).toEqual([]);
});

test('no domain of a free provider or forwarding service counts as disposable', () => {
  const all = [...freeDomains, ...relayDomains];
  expect(all.filter((domain) => classifyDomain(domain) === 'disposable')).toEqual([]);
});

test.each(
  words(`xkcd.com ghtwk.de bmw.de 3m.com 1und1.de h-brs.de uni-ulm.de nus.edu.sg mit.edu bund.de gov.uk nhs.uk whitehouse.gov
  mueller-maschinenbau.de tischlerei-schmidt-soehne.at st-josef-krankenhaus.de tsv-1860-rosenheim.de zahnarzt-dr-weber.de
  autohaus24.de bike24.com o2online.de hm.com kfw.de rwth-aachen.de pzu.pl wwf.org.pl mercadolibre.com.ar rakuten.co.jp
  acme-tools.com smiths-bakery.co.uk la-petite-boulangerie.fr fietsenwinkel.nl stripe.dev notion.so linear.app krzysztofwozniak.pl`),
)('the real domain %s is not called unusual', (domain) => {
  expect(domainCodes(domain)).toEqual([]);
});

test.each([
  ['xn--mller-kva.de', 'punycode'],
  ['müller.de', 'an umlaut'],
  ['xn--80aafm6chak.xn--p1ai', 'a domain in Cyrillic'],
  [`${'a'.repeat(63)}.de`, 'the longest name'],
])('%s, %s, has no shape to judge and breaks nothing', (domain) => {
  expect(['clean', 'suspect']).toContain(scoreOf(domain).verdict);
  expect(domainShape(data.domainShape, 'xn--mller-kva', 'de')).toBe(0);
  expect(domainShape(data.domainShape, 'müller', 'de')).toBe(0);
  expect(domainShape(data.domainShape, 'a'.repeat(64), 'de')).toBe(0);
});

test('a domain on a public list of abused domains makes a lead suspect, not spam, also below it and in capitals', () => {
  for (const domain of ['jahgsthvgas12458.tk', 'mail.jahgsthvgas12458.tk', 'JAHGSTHVGAS12458.TK'])
    expect(scoreOf(domain)).toMatchObject({ verdict: 'suspect', risk: 40 });
});

test('a free subdomain makes a lead suspect and names the domain', () => {
  const { verdict, reasons, merits } = scoreOf('kx81.dynv6.net');
  expect(verdict).toBe('suspect');
  expect(reasons).toContainEqual(
    expect.objectContaining({
      code: 'EMAIL_FREE_SUBDOMAIN',
      text: 'Free subdomain instead of a registered domain: kx81.dynv6.net',
    }),
  );
  expect(merits.map(({ code }) => code)).not.toContain('FIT_BUSINESS_DOMAIN');
});

test('a very unusual domain is enough for suspect, an unusual one only together with anything else', () => {
  const levels = { weights: new Int8Array(2), likely: 10, probable: 20, certain: 30 };
  const verdictAt = (bias: number, message: string) =>
    createScorer({ ...data, domainShape: { ...levels, bias } }).score(
      { name: 'Anna Miller', email: 'anna.miller@acme-tools.com', message },
      form,
      { now: 0 },
    ).verdict;
  const plain = 'Please call me back.';
  const linked = 'Please call me back about https://www.acme-parts.com/wheels, thank you.';
  expect([verdictAt(9, plain), verdictAt(19, plain), verdictAt(29, plain)]).toEqual([
    'clean',
    'clean',
    'clean',
  ]);
  expect(verdictAt(30, plain)).toBe('suspect');
  expect([verdictAt(19, linked), verdictAt(20, linked)]).toEqual(['clean', 'suspect']);
});

test('an address at a random name under an ending that hardly any company uses is suspect', () => {
  expect(domainCodes('x7k2q9vbz.cfd')).toEqual(['EMAIL_DOMAIN_UNUSUAL']);
  expect(scoreOf('x7k2q9vbz.cfd').verdict).toBe('suspect');
});

test('no finding tells a company that it looks like a disposable service, unless a list says so', () => {
  for (const domain of ['x7k2q9vbz.cfd', 'kx81.dynv6.net'])
    for (const { text } of scoreOf(domain).reasons) expect(text).not.toMatch(/disposable|throw/i);
});

test('hashed domains contain what was put in, and hardly anything else', () => {
  const inside = Array.from({ length: 2_000 }, (_, at) => `in${at}.com`);
  const list = new HashedDomains(Uint32Array.from(inside, domainHash).sort());
  expect(inside.every((domain) => list.has(domain))).toBe(true);
  const outside = Array.from({ length: 2_000 }, (_, at) => `out${at}.com`);
  expect(outside.filter((domain) => list.has(domain))).toEqual([]);
  expect(disposableDomains.has('')).toBe(false);
});

test('a mail server learned from an earlier lead makes the next one suspect, as a second look would have', () => {
  const lead = { name: 'Anna Miller', email: 'anna@acme-tools.com', company: 'Acme Tools' };
  const mailServerOf = (domain: string) => (domain === 'acme-tools.com' ? 'mx.tempm.com' : null);
  const plain = scorer.score(lead, form, { now: 0 });
  const learned = scorer.score(lead, form, { now: 0, mailServerOf });
  const address = { local: 'anna', domain: 'acme-tools.com' };
  const finding = { code: 'EMAIL_DISPOSABLE_MX', address, field: 'email', evidence: 'mx.tempm.com' } as const;
  const { reasons, merits, ...rest } = lookAgain(storedReasons(plain), form, finding) as Score;
  expect(learned).toMatchObject(rest);
  expect(new Set(learned.reasons)).toEqual(new Set(reasons));
  expect(new Set(learned.merits)).toEqual(new Set(merits));
  const other = { ...lead, email: 'anna@acme-parts.com' };
  expect(scorer.score(other, form, { now: 0, mailServerOf })).toEqual(scorer.score(other, form, { now: 0 }));
});

test('a free provider or a domain on a list is never judged by a learned mail server', () => {
  for (const domain of ['gmail.com', 'mailinator.com', 'mit.edu']) {
    const lead = { email: `anna@${domain}` };
    expect(scorer.score(lead, form, { now: 0, mailServerOf: () => 'mx.tempm.com' })).toEqual(
      scorer.score(lead, form, { now: 0 }),
    );
  }
});
