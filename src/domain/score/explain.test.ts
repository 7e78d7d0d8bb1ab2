import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadScoringData } from './data.ts';
import { explainScore, type ScoreExplanation } from './explain.ts';
import { rules } from './rules.ts';
import { createScorer } from './scorer.ts';
import { compileScoring } from './settings/compile.ts';
import { defaultScoringSettings, type ScoringSettings } from './settings/settings.ts';
import { packReasons, type StoredReason, storedReasons, unpackReasons } from './stored-reasons.ts';

const scorer = createScorer(loadScoringData());

function explained(fields: Record<string, unknown>, changes: Partial<ScoringSettings> = {}) {
  const settings = { ...defaultScoringSettings, ...changes };
  const scored = scorer.score(fields, compileScoring(settings, [], 0), { now: 0 });
  const { score, risk, verdict } = scored;
  return { scored, parts: explainScore({ score, risk, verdict, reasons: storedReasons(scored) }, settings) };
}

const missingOf = ({ missing }: ScoreExplanation) => missing.map(({ text, adds }) => `${text} +${adds}`);

/** Each choice adds or removes something that rules look for. */
const leads = fc.record(
  {
    name: fc.constantFrom('Ada Lovelace', 'Ada', 'xkcdqwzj vbnmtrq', 'http://spam.example'),
    email: fc.constantFrom(
      'ada@engines.io',
      'ada@gmail.com',
      'info@engines.io',
      'ada@mit.edu',
      'x@mailinator.com',
    ),
    company: fc.constantFrom('Engines', 'Nordlicht', 'xkcdqwzj'),
    phone: fc.constantFrom('+44 20 7946 0958', '1111111111', 'x'),
    job_title: fc.constantFrom('CEO', 'Head of Sales', 'Account Manager', 'Gardener'),
    country: fc.constantFrom('DE', 'France'),
    website: fc.constantFrom('https://engines.io', ''),
    message: fc.constantFrom(
      'We ship forty pallets a week and would like a quote for 20 users. Can you call me?',
      'I am looking for a job as a press officer, please send the newspaper team my application.',
      'Buy backlinks and rank on the first page of google, we help businesses like yours',
      'Hi',
    ),
    utm_medium: fc.constantFrom('cpc', 'email'),
    referrer: fc.constantFrom('https://engines.io/pricing', 'https://engines.io/'),
  },
  { requiredKeys: [] },
);
const settings = fc.record({
  preset: fc.constantFrom('b2b', 'b2c', 'event', 'support'),
  expect: fc.constantFrom({ countries: [], titles: [] }, { countries: ['DE'], titles: ['head of*'] }),
  weights: fc.dictionary(
    fc.constantFrom('FIT_PHONE', 'FIT_BUSINESS_DOMAIN', 'INTENT_WORDS', 'EMAIL_DISPOSABLE', 'FIT_WEBSITE'),
    fc.integer({ min: -100, max: 100 }),
  ),
  disabled: fc.constantFrom([], ['FIT_COMPANY', 'INTENT_MESSAGE']),
}) as fc.Arbitrary<Partial<ScoringSettings>>;

test('the reasons shown add up to each part, the parts add up to the score, and every limit is visible', () => {
  fc.assert(
    fc.property(leads, settings, (lead, changes) => {
      const { scored, parts } = explained(lead, changes);
      for (const part of [parts.fit, parts.intent, parts.risk]) {
        expect(part.reasons.reduce((sum, { points }) => sum + points, 0)).toBe(part.sum);
        expect(part.total).toBe(Math.min(100, Math.max(0, part.sum)));
      }
      expect([parts.fit.total, parts.intent.total, parts.risk.total]).toEqual([
        scored.fit,
        scored.intent,
        scored.risk,
      ]);
      const tenths = [parts.fit, parts.intent, parts.risk].map(({ adds }) => Math.round(Number(adds) * 10));
      const total = tenths.reduce((sum, each) => sum + each, 0);
      expect(Math.round(total / 10)).toBe(scored.score);
      if (scored.risk === 0) expect(tenths[2]).toBe(0);
    }),
    { numRuns: 600 },
  );
});

test('nothing that a lead already has is called missing, and what is missing would raise the score', () => {
  fc.assert(
    fc.property(leads, settings, (lead, changes) => {
      const { scored, parts } = explained(lead, changes);
      const found = new Set(scored.merits.filter(({ points }) => points > 0).map(({ code }) => code));
      for (const { code, adds, points } of parts.missing) {
        expect(found.has(code), code).toBe(false);
        expect(adds).toBeGreaterThan(0);
        expect(points).toBeGreaterThan(0);
        expect(scored.score + adds).toBeLessThanOrEqual(100);
      }
      const gains = parts.missing.map(({ adds }) => adds);
      expect(gains).toEqual(gains.toSorted((a, b) => b - a));
      if (scored.verdict === 'spam') expect(parts.missing).toEqual([]);
    }),
    { numRuns: 600 },
  );
});

test('what a missing merit adds is what the scorer adds when the lead has it', () => {
  const lead = { name: 'Ada Lovelace', email: 'ada@gmail.com', message: 'Hi' };
  const { scored, parts } = explained(lead);
  expect(missingOf(parts).slice(0, 3)).toEqual([
    'No company email address +15',
    'Does not ask for an offer, a demo or a price +14',
    'No message of a useful length +12',
  ]);
  for (const [more, code] of [
    [{ phone: '+44 20 7946 0958' }, 'FIT_PHONE'],
    [{ job_title: 'CEO' }, 'FIT_TITLE_TOP'],
    [{ email: 'ada@engines.io' }, 'FIT_BUSINESS_DOMAIN'],
    [{ company: 'Nordlicht' }, 'FIT_COMPANY'],
  ] as const) {
    const gain = explained({ ...lead, ...more }).scored.score - scored.score;
    expect(parts.missing.find((merit) => merit.code === code)?.adds, code).toBe(gain);
  }
});

test('of titles and kinds of addresses only the best one is missing, and only what a form looks for', () => {
  const codes = (lead: Record<string, unknown>, changes = {}) =>
    explained(lead, changes).parts.missing.map(({ code }) => code);
  const head = codes({ email: 'ada@engines.io', job_title: 'Head of Sales' });
  expect(head).toContain('FIT_TITLE_TOP');
  expect(head).not.toContain('FIT_TITLE_MANAGER');
  expect(head).not.toContain('FIT_FREE_MAIL');
  expect(head).not.toContain('FIT_COUNTRY_WANTED');
  expect(head).not.toContain('FIT_COMPANY_DOMAIN');
  expect(codes({}, { expect: { countries: ['DE'], titles: [] } })).toContain('FIT_COUNTRY_WANTED');
});

test('what counted against a lead is a reason why its score is not higher', () => {
  const { parts } = explained({ email: 'info@engines.io', name: 'Ada Lovelace' });
  expect(missingOf(parts)).toContain('Role address, not a person +3');
});

test('spam has no merits and no score, whatever it asks for', () => {
  const { parts } = explained({ email: 'x@mailinator.com', name: 'http://spam.example' });
  expect(parts).toMatchObject({ fit: { adds: 0, reasons: [] }, intent: { adds: 0 }, risk: { adds: 0 } });
  expect(parts).toMatchObject({ withoutRisk: null, missing: [] });
});

test('a score that today’s formula does not give is not explained with it', () => {
  const lead = {
    score: 40,
    risk: 0,
    verdict: 'clean',
    reasons: [{ code: 'FIT_PHONE', points: 15 }],
  } as const;
  const parts = explainScore(lead, defaultScoringSettings);
  expect(parts).toMatchObject({ fit: { total: 15, adds: null }, risk: { adds: null }, withoutRisk: null });
  expect(parts.missing).toEqual([]);
});

test('a lead that an earlier release scored with rules that no longer exist still says why in words', () => {
  const reasons = [
    { code: 'TEXT_MODEL_STRONG', points: 30 },
    { code: 'PHRASES_PITCH', points: 16, evidence: 'I noticed your website' },
  ];
  const { risk } = explainScore({ score: 0, risk: 46, verdict: 'suspect', reasons }, defaultScoringSettings);
  expect(risk.sum).toBe(46);
  expect(risk.reasons.map(({ text }) => text)).toEqual([
    'Wording very similar to known spam',
    'Sales pitch: "I noticed your website"',
  ]);
});

test('every rule that raises fit or intent says what is missing without it', () => {
  const raising = rules.filter(({ axis, points }) => axis === 'score' && points > 0);
  expect(raising.filter(({ missing }) => missing === undefined)).toEqual([]);
});

const someReasons = [
  { code: 'FIT_COMPANY', points: 15 },
  { code: 'INTENT_WORDS', points: -2.5 },
  { code: 'EMAIL_FREE', points: 5, field: 'email', evidence: 'gmail.com' },
  { code: 'TEXT_LINKS', points: 10, evidence: '' },
] as StoredReason[];
const someScore = { reasons: someReasons } as Parameters<typeof packReasons>[0];

test('reasons are the same after they were stored, and take less space when they are only a code and points', () => {
  const packed = JSON.parse(JSON.stringify(packReasons(someScore)));
  expect(unpackReasons(packed)).toEqual(JSON.parse(JSON.stringify(storedReasons(someScore))));
  expect(packed.slice(0, 2)).toEqual(['FIT_COMPANY 15', 'INTENT_WORDS -2.5']);
});

test('leads that an earlier release stored keep their reasons', () => {
  const stored = [
    { code: 'FIT_COMPANY', points: 15 },
    { code: 'GONE', points: 3, text: 'As it was shown' },
  ];
  expect(unpackReasons(stored as StoredReason[])).toEqual(stored);
});
