import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadScoringData } from '../../data.ts';
import { HashTable } from '../../reading/hash-table.ts';
import { wordHash } from '../../reading/word-hash.ts';
import { createScorer } from '../../scorer.ts';
import { compileScoring } from '../../settings/compile.ts';
import { defaultScoringSettings, type ScoringSettings } from '../../settings/settings.ts';

/** Without a model of wording, so that only links and phrases count. */
const text = { weights: new HashTable(), bias: 0, asking: -100, weak: 1e9, linked: 1e9, strong: 1e9 };
const scorer = createScorer({ ...loadScoringData(), text });
const form = compileScoring(defaultScoringSettings, [], 0);
const scoreOf = (fields: Record<string, unknown>) => scorer.score(fields, form, { now: 0 });
const scoreOfMessage = (message: string) =>
  scoreOf({ name: 'Karen Doyle', email: 'karen.doyle@gmail.com', message });
const evidenceOf = (message: string) =>
  Object.fromEntries(scoreOfMessage(message).reasons.map(({ code, evidence }) => [code, evidence]));

const question =
  'Do you have this part in stock, and could you ship two of them to Leeds by Friday? Thank you!';

test.each([
  'https://www.pumpenhandel-koch.de/ersatzteile/dichtung-32mm',
  'https://www.amazon.de/dp/B07XJ8C8F5/ref=sr_1_3?keywords=siphon&qid=1699999999',
  'https://drive.google.com/file/d/1aB3dEfGhIjKlMnOpQrStUvWxYz012345/view?usp=sharing',
  'https://www.dropbox.com/s/8k2j3h4g5f6d7s8/plans.pdf?dl=0',
  'https://maps.app.goo.gl/3Kd82jFk29sLqPz67',
  'https://goo.gl/maps/Kd93jfK2lsO',
  'https://youtu.be/dQw4w9WgXcQ',
  'https://firma.sharepoint.com/:b:/s/einkauf/EQk3l2j4h5g6f7d8s9a0',
  'https://www.ebay.co.uk/itm/285671203344',
  'https://www.paypal.com/invoice/p/8f3k2j4h5g',
  'http://192.168.1.20:8080/status',
  'http://localhost:3000',
])('a question with a link to an ordinary or well-known place costs four points: %s', (link) => {
  const { risk, reasons } = scoreOfMessage(`${question} ${link}`);
  expect([risk, ...reasons.map(({ code }) => code)]).toEqual([4, 'LINKS_1']);
});

test.each([
  ['https://paypal-secure-center.net/login?u=7', 'LINK_HOST_BRAND', 'paypal-secure-center.net'],
  ['https://www.paypa1.net/x', 'LINK_HOST_BRAND', 'paypa1.net'],
  ['https://steamcommunlty.com/gift', 'LINK_HOST_BRAND', 'steamcommunlty.com'],
  [
    'https://login.microsoftonline.com.portal-view.info',
    'LINK_HOST_BRAND',
    'login.microsoftonline.com.portal-view.info',
  ],
  ['https://pаypal.com/login', 'LINK_HOST_BRAND', 'xn--pypal-4ve.com'],
  ['https://xn--pypal-4ve.com/login', 'LINK_HOST_ODD', 'xn--pypal-4ve.com'],
  ['https://secure-login-verify-account.top/a', 'LINK_HOST_BAIT', 'secure-login-verify-account.top'],
  ['https://xkqzwvtr.com/secret', 'LINK_HOST_BAIT', 'xkqzwvtr.com'],
  ['https://bestoffers247.shop/secret', 'LINK_HOST_SHAPE', 'bestoffers247.shop'],
  ['https://pub-3f2e1d0c9b8a.r2.dev/index.html', 'LINK_HOST_SHARED', 'pub-3f2e1d0c9b8a.r2.dev'],
  ['https://docs.google.com/forms/d/e/1FAI/viewform', 'LINK_HOST_SHARED', 'docs.google.com'],
  ['https://marysbakery.wixsite.com/home', 'LINK_HOST_BUILDER', 'marysbakery.wixsite.com'],
  ['https://cutt.ly/Kd93jf', 'LINK_SHORTENED', 'cutt.ly'],
  ['https://www.google.com/url?q=https://kd93jf.top', 'LINK_SHORTENED', 'google.com'],
  ['https://t.me/+Kd93jf', 'LINK_CHAT', 't.me'],
  ['http://185.220.101.45/inv.php', 'LINK_HOST_NUMBER', '185.220.101.45'],
  ['http://0x5b.0xcb.0x05.0x11/doc', 'LINK_HOST_NUMBER', '0x5b.0xcb.0x05.0x11'],
  ['https://staging.lumenworks.com:8443/a', 'LINK_HOST_ODD', 'staging.lumenworks.com:8443'],
  ['https://www.office.com@lindenmotion.com/view', 'LINK_HOST_DISGUISED', 'lindenmotion.com'],
  ['https://harborlinden.com/8Kd93', 'LINK_PATH_RANDOM', 'harborlinden.com'],
  ['https://harborlinden.com/pay/#sales@engines.io', 'LINK_PATH_TRAP', 'harborlinden.com'],
  ['https://garden.example.xyz/secret', 'LINK_TLD_CHEAP', 'garden.example.xyz'],
])('the host of a doubtful link is found and shown without path and query: %s', (link, code, host) => {
  const found = evidenceOf(`${question} ${link}`);
  expect(found[code]).toBe(host);
  for (const evidence of Object.values(found)) expect(evidence).toBe(host);
});

test.each([
  ['a dot', '.'],
  ['a per cent sign', '%'],
  ['an emoji', '🦊'],
  ['60,000 labels', 'a.b.c.'.repeat(20_000)],
  ['hyphens alone', `${'-'.repeat(300)}.top`],
  ['half an IPv6 address', '[::1'],
  ['empty punycode', 'xn--'],
  ['separators alone', '@@@:::'],
  ['400 accented letters', 'é'.repeat(400)],
])('no host is too strange to be judged, and its evidence is short: %s', (_, host) => {
  const { reasons } = scoreOfMessage(`${question} https://${host}/x http://${host}`);
  for (const { evidence = '' } of reasons) expect(evidence.length).toBeLessThanOrEqual(61);
});

test('a business address whose link leads elsewhere gets two points more, and none for its own site', () => {
  const riskOf = (message: string) => scoreOf({ email: 'ada@engines.io', message }).risk;
  expect(riskOf(`${question} https://harborlinden.com/lamp`)).toBe(6);
  expect(riskOf(`${question} https://shop.engines.io/lamp`)).toBe(0);
});

test('a text that names a brand while its link leads elsewhere says so', () => {
  const found = evidenceOf('Your Netflix payment failed, please see https://harborlinden.com/card');
  expect(found.LINK_BRAND_ELSEWHERE).toBe('netflix, harborlinden.com');
});

const lure =
  'Hello dear customer, please note that your account is limited since yesterday evening and needs your attention today, so look here:';

test('a lure is spam with a link to a doubtful host, and suspect with a link to an ordinary one', () => {
  expect(scoreOfMessage(`${lure} https://parcel-redelivery-fee.com/a`).verdict).toBe('spam');
  expect(scoreOfMessage(`${lure} https://track-839201.web.app`).verdict).toBe('spam');
  expect(scoreOfMessage(`${lure} https://harborlinden.com/track`).verdict).toBe('suspect');
});

test.each([
  'check this out https://bit.ly/3xYzAbc',
  'open the document https://ktrwqpx.site/pl',
  'Wallet phrase needs validation https://wallet-validate-sync.com',
  'please see this invoice http://185.220.101.45/inv.php',
  'see me here <a href="https://harborlinden.com">photos</a>',
])('a few words and a bad link are suspect by the link alone: %s', (message) => {
  const { verdict, reasons } = scoreOfMessage(message);
  expect(verdict).toBe('suspect');
  expect(reasons.filter(({ family }) => family !== 'links' && family !== 'cap')).toEqual([]);
});

const advert =
  'Rank on the first page of google with quality backlinks, claim your prize, buy followers and earn money from home. ';
const article =
  'This month we visit a joiner near the river, read a story about rye bread and plan the seed swap. ';

test.each([
  ['to services that send newsletters', 'https://harbor.us4.list-manage.com/track/click?u=8f3k2&id=7'],
  ['to ordinary sites', 'https://www.harborlinden.com/news/8Kd93jf2k4'],
  ['to free hosting', 'https://news-839.s3.eu-west-1.amazonaws.com/8Kd93jf2k4'],
])('a long newsletter full of advertising and links %s is suspect, not spam', (_, link) => {
  const links = Array.from({ length: 12 }, (_, number) => `Read more: ${link}${number}`).join('\n');
  const { verdict, reasons } = scoreOfMessage(
    `${advert}${article.repeat(3)}\n${links}\nUnsubscribe: ${link}`,
  );
  expect(reasons.map(({ code }) => code)).toContain('CAP_CONTENT');
  expect(verdict).toBe('suspect');
});

test('links count by their number only if there is little text around them', () => {
  const three = 'https://a-one.de https://b-two.de https://c-three.de';
  expect(evidenceOf(`hello ${three}`)).toHaveProperty('LINKS_3');
  expect(evidenceOf(`${article.repeat(2)} ${three}`)).toHaveProperty('LINKS_2');
  expect(evidenceOf(`${article.repeat(2)} ${three} https://d-four.de`)).toHaveProperty('LINKS_3');
  expect(evidenceOf(`hello ${three} ${three}`)).toHaveProperty('LINKS_6');
});

test('well-known sites in a signature count as one link', () => {
  const signature =
    'https://www.linkedin.com/in/ada https://www.facebook.com/ada https://www.instagram.com/ada';
  expect(scoreOfMessage(`${question} ${signature}`).risk).toBe(4);
});

test('adding a link never lowers the risk, whatever it leads to', () => {
  const links = fc.constantFrom(
    'https://www.harborlinden.com/lamp',
    'https://harborlinden.com/8Kd93',
    'https://www.youtube.com/watch?v=9bZkp7q19f0',
    'https://bit.ly/x',
    'http://185.220.101.45/inv.php',
    'http://localhost:3000',
    'https://paypal-secure.top',
    'https://xkqzwvtr.com',
    'https://po-93820.r2.dev',
    'https://netflix.tv',
    'https://engines.io',
    't.me/x',
    'www.x.example/a',
  );
  const words = fc.constantFrom('', 'hello', 'netflix', lure, question, advert, article, article.repeat(5));
  const texts = fc.array(fc.oneof(words, links), { maxLength: 12 }).map((parts) => parts.join(' '));
  const leads = fc.record({
    email: fc.constantFrom('karen.doyle@gmail.com', 'ada@engines.io', ''),
    name: fc.constantFrom('Karen Doyle', ''),
    subject: texts,
    message: texts,
    notes: texts,
  });
  fc.assert(
    fc.property(leads, links, fc.constantFrom('name', 'subject', 'message', 'notes'), (lead, link, key) => {
      const more = { ...lead, [key]: `${lead[key as 'notes']} ${link}` };
      expect(scoreOf(more).risk).toBeGreaterThanOrEqual(scoreOf(lead).risk);
    }),
    { numRuns: 2_000 },
  );
});

describe('a link beside doubtful words', () => {
  // To this model, all words are doubtful beside a link, and none is otherwise.
  const doubting = createScorer({
    ...loadScoringData(),
    text: { weights: knowing(question), bias: 0, asking: -100, weak: 1e9, linked: 10, strong: 1e9 },
  });
  const scoreBy = (email: string, message: string, settings: Partial<ScoringSettings> = {}) => {
    const form = compileScoring({ ...defaultScoringSettings, ...settings }, [], 0);
    const { verdict, reasons } = doubting.score({ name: 'Karen Doyle', email, message }, form, { now: 0 });
    return { verdict, codes: reasons.map(({ code }) => code) };
  };
  const linked = `${question} https://www.northern-harbor.com/offer`;

  test.each(['karen.doyle@gmail.com', 'karen@doyle-tools.com'])('makes the lead of %s suspect', (email) => {
    expect(scoreBy(email, question)).toEqual({ verdict: 'clean', codes: [] });
    const { verdict, codes } = scoreBy(email, linked);
    expect(verdict).toBe('suspect');
    expect(codes.slice(0, 3)).toEqual(['WORDING_DOUBTFUL', 'LINK_IN_DOUBT', 'LINKS_1']);
  });

  test('counts for nothing in a form without the rule', () => {
    expect(scoreBy('karen.doyle@gmail.com', linked, { disabled: ['LINK_IN_DOUBT'] }).verdict).toBe('clean');
  });

  test("leaves the words without effect if it leads to the sender's own site", () => {
    const own = `${question} https://www.doyle-tools.com/offer`;
    expect(scoreBy('karen@doyle-tools.com', own)).toEqual({ verdict: 'clean', codes: [] });
  });

  test('leaves the words of another field without effect', () => {
    const lead = {
      email: 'karen.doyle@gmail.com',
      message: question,
      subject: 'See northern-harbor.com/offer',
    };
    expect(doubting.score(lead, form, { now: 0 }).reasons.map(({ code }) => code)).not.toContain(
      'WORDING_DOUBTFUL',
    );
  });

  test('leaves the words of a long text without effect', () => {
    expect(
      scoreBy('karen.doyle@gmail.com', `${question.repeat(6)} https://www.northern-harbor.com/offer`).codes,
    ).toEqual(['LINKS_1']);
  });
});

test.each(['B.Tech', 'an M.Tech,', 'b.tech.'])('a degree is not taken for a link: %s', (degree) => {
  expect(evidenceOf(`I hold a ${degree} and would like to apply as a trainee in your workshop.`)).toEqual({});
});

test.each(['x.com', 'b.tech/karen', 'b.xyz?ref=1', 'e.top:8080'])(
  'a host of one letter is a link: %s',
  (host) => {
    expect(evidenceOf(`You find my work at ${host} and I would like to apply as a trainee.`)).toHaveProperty(
      'LINKS_1',
    );
  },
);

/** A table in which every word of the text weighs a little. */
function knowing(text: string): HashTable {
  const words = text.match(/\p{L}+/gu) ?? [];
  return new HashTable(words.map((word) => [wordHash(word.toLowerCase()), 10 * 4] as const));
}
