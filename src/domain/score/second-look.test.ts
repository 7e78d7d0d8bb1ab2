import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadScoringData } from './data.ts';
import { createScorer } from './scorer.ts';
import { lookAgain } from './second-look.ts';
import { compileScoring } from './settings/compile.ts';
import { defaultScoringSettings, type ScoringSettings } from './settings/settings.ts';
import { storedReasons } from './stored-reasons.ts';

const scorer = createScorer(loadScoringData());
const code = 'EMAIL_DISPOSABLE_MX';
const address = { local: 'Ada', domain: 'acme-tools.com' };
const finding = { code, address, field: 'email', evidence: 'mail.wabblywabble.com' } as const;
const lead = { email: 'Ada@acme-tools.com', company: 'Acme Tools', name: 'Ada Lovelace', phone: '123' };

const formWith = (change: Partial<ScoringSettings> = {}) =>
  compileScoring({ ...defaultScoringSettings, ...change }, [], 3);
const judged = (fields: Record<string, unknown>, form = formWith()) => {
  const score = scorer.score(fields, form, { now: 0 });
  return { score, stored: storedReasons(score) };
};
const sumOf = (reasons: readonly { points: number }[]) =>
  reasons.reduce((sum, { points }) => sum + points, 0);

test('under the default rules, a clean lead becomes suspect, never spam', () => {
  const { score, stored } = judged(lead);
  const found = lookAgain(stored, formWith(), finding);
  expect(score.verdict).toBe('clean');
  expect(found).toMatchObject({ verdict: 'suspect', risk: score.risk + 35, ruleset: formWith().ruleset });
  expect(found?.score).toBeLessThan(score.score);
});

test('merits of a company domain are dropped for a disposable one', () => {
  const codes = lookAgain(judged(lead).stored, formWith(), finding)?.merits.map((merit) => merit.code);
  expect(codes).toContain('FIT_DISPOSABLE');
  expect(codes).not.toContain('FIT_BUSINESS_DOMAIN');
  expect(codes).not.toContain('FIT_COMPANY_DOMAIN');
  expect(codes).toContain('FIT_COMPANY');
});

test('what was learned from marks stays, with its points and evidence, and still counts as no family', () => {
  const learned = { code: 'LEARNED_SPAM', points: 17, evidence: '"drones"' };
  const { score, stored } = judged({ email: 'Ada@acme-tools.com' });
  const found = lookAgain([...stored, learned], formWith({ thresholds: { suspect: 30, spam: 50 } }), finding);
  expect(found?.reasons).toContainEqual(expect.objectContaining(learned));
  expect(found).toMatchObject({ risk: score.risk + 17 + 35, verdict: 'suspect' });
});

test('the cap of the family is recalculated and shown', () => {
  const form = formWith({ families: { email: { cap: 30 } } });
  const { stored } = judged({ ...lead, email: 'info@acme-tools.com' }, form);
  const found = lookAgain(stored, form, finding);
  expect(found?.reasons).toContainEqual(expect.objectContaining({ code: 'CAP_EMAIL', points: -7 }));
  expect(sumOf(found?.reasons ?? [])).toBe(found?.risk);
});

test('with close thresholds a lead can become spam and lose its merits', () => {
  const form = formWith({ thresholds: { suspect: 20, spam: 40 } });
  const found = lookAgain(judged(lead, form).stored, form, finding);
  expect(found).toMatchObject({ verdict: 'spam', score: 0, grade: 'E', merits: [] });
});

test.each([
  ['the rule is off', formWith({ disabled: [code] }), judged(lead).stored],
  [
    'the address is allowed',
    formWith({ allow: { emails: ['ada@acme-tools.com'], domains: [] } }),
    judged(lead).stored,
  ],
  [
    'the domain is allowed',
    formWith({ allow: { emails: [], domains: ['acme-tools.com'] } }),
    judged(lead).stored,
  ],
  ['the finding is already there', formWith(), [{ code, points: 35 }]],
  [
    'an earlier release scored the lead',
    formWith(),
    [{ code: 'A_RULE_THAT_IS_NO_MORE', points: 5, text: 'Old.' }],
  ],
])('nothing changes when %s', (_, form, stored) => {
  expect(lookAgain(stored, form, finding)).toBeNull();
});

test('the points of the reasons add up to the risk, whatever the lead and the settings', () => {
  const texts = fc.oneof(
    fc.string(),
    fc.constantFrom('http://a.io http://b.io', 'test', 'SEO backlinks', 'asdf'),
  );
  const leads = fc.dictionary(fc.constantFrom('name', 'company', 'message', 'phone', 'note'), texts);
  const settings = fc.record({
    weight: fc.integer({ min: -100, max: 100 }),
    cap: fc.integer({ min: 0, max: 100 }),
    scale: fc.integer({ min: 0, max: 8 }).map((quarters) => quarters / 4),
  });
  fc.assert(
    fc.property(leads, settings, (fields, { weight, cap, scale }) => {
      const form = formWith({ weights: { [code]: weight }, families: { email: { cap, scale } } });
      const { stored } = judged({ ...fields, email: lead.email }, form);
      const found = lookAgain(stored, form, finding);
      if (found === null) return;
      expect(Math.min(100, Math.max(0, sumOf(found.reasons)))).toBe(found.risk);
      expect(lookAgain(storedReasons(found), form, finding)).toBeNull();
    }),
  );
});
