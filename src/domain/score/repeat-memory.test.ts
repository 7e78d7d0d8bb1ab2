import { expect, test } from 'vitest';
import { loadScoringData } from './data.ts';
import { RepeatMemory } from './repeat-memory.ts';
import { createScorer } from './scorer.ts';
import { compileScoring } from './settings/compile.ts';
import { defaultScoringSettings } from './settings/settings.ts';

const scorer = createScorer(loadScoringData());
const form = compileScoring(defaultScoringSettings, [], 0);
const minuteMs = 60_000;
const message = 'We ship forty pallets a week and would like a quote for the next quarter, please.';
const long = `${message} Our warehouse is in Leeds and open from six to six. We also need insurance for the goods, and a
  contact for the weekend. Last year we paid about nine pounds per pallet and day, without handling.`;

/** Submits leads to one form and returns the verdict and codes of each. */
function arrivals(memory = new RepeatMemory(), formId = 'a') {
  return (fields: Record<string, unknown>, now = 0) => {
    let forget = () => {};
    const { verdict, reasons } = scorer.score(fields, form, {
      now,
      see: (print) => {
        const sightings = memory.see(formId, print, now);
        forget = sightings.forget;
        return sightings;
      },
    });
    const codes = reasons.map(({ code }) => code).filter((code) => code.startsWith('REPEAT'));
    return { verdict, codes, forget };
  };
}

const lead = (email: string, text = message) => ({ name: 'Ada Lovelace', email, message: text });

test('the third lead with the same message from the same address is spam, the first stays clean', () => {
  const arrive = arrivals();
  const verdicts = [1, 2, 3, 4].map(() => arrive(lead('ada@engines.io')).verdict);
  expect(verdicts).toEqual(['clean', 'clean', 'spam', 'spam']);
});

test('neither field order nor dots in a Gmail address hide a repeat', () => {
  const arrive = arrivals();
  arrive(lead('ada@engines.io'));
  expect(arrive({ message, email: 'ada@engines.io', name: 'Ada Lovelace' }).codes).toContain('REPEAT_BODY');
});

test('a lead without a message may be repeated: it can be a second sign-up', () => {
  const arrive = arrivals();
  const verdicts = Array.from({ length: 30 }, () => arrive({ email: 'ada@gmail.com' }).verdict);
  expect(new Set(verdicts)).toEqual(new Set(['clean']));
});

test('a lead that was not stored is forgotten, so that a retry does not count as a flood', () => {
  const arrive = arrivals();
  for (let attempt = 0; attempt < 10; attempt++) arrive(lead('ada@engines.io')).forget();
  expect(arrive(lead('ada@engines.io'))).toMatchObject({ verdict: 'clean', codes: [] });
});

test('a long message from many addresses becomes spam, even with a word changed', () => {
  const arrive = arrivals();
  const seen = Array.from({ length: 8 }, (_, number) =>
    arrive(lead(`ada${number}@engines.io`, `${long} ${number}`)),
  );
  expect(seen[0]).toMatchObject({ verdict: 'clean', codes: [] });
  expect(seen[1]?.codes).toContain('REPEAT_NEAR');
  expect(seen[7]?.verdict).toBe('spam');
});

test('different messages do not count as repeats', () => {
  const arrive = arrivals();
  arrive(lead('ada@engines.io', long));
  const other =
    'My washing machine does not spin any more since Tuesday. Do you repair this model at home, and when?';
  expect(arrive(lead('bob@engines.io', other)).codes).toEqual([]);
});

test('forms do not see the leads of other forms', () => {
  const memory = new RepeatMemory();
  for (const formId of ['a', 'b', 'c']) {
    expect(arrivals(memory, formId)(lead('ada@engines.io')).codes).toEqual([]);
  }
});

test('after ten minutes the same lead counts as new', () => {
  const arrive = arrivals();
  arrive(lead('ada@engines.io'), 0);
  expect(arrive(lead('ada@engines.io'), 11 * minuteMs).codes).toEqual([]);
});

test('an address that sends many different leads within an hour is found', () => {
  const arrive = arrivals();
  const codes = Array.from(
    { length: 12 },
    (_, number) =>
      arrive({ email: 'ada@engines.io', name: `Ada ${'x'.repeat(number)}` }, number * minuteMs).codes,
  );
  expect(codes[0]).not.toContain('REPEAT_EMAIL');
  expect(codes[11]).toContain('REPEAT_EMAIL');
});

const print = (body: number) => ({ body, email: 0, network: 0, messageHigh: 0, messageLow: 0 });

test('with any number of forms, active ones are remembered and idle ones forgotten', () => {
  const memory = new RepeatMemory();
  memory.see('idle', print(1), 0);
  memory.see('busy', print(1), 0);
  for (let number = 0; number < 5_000; number++) {
    memory.see(`form ${number}`, print(1), 0);
    if (number % 900 === 0) memory.see('busy', print(2), 0);
  }
  expect(memory.see('busy', print(1), 0).sameBody).toBe(1);
  expect(memory.see('idle', print(1), 0).sameBody).toBe(0);
});

test('a flood does not fill the memory: only the latest leads of a form are kept', () => {
  const memory = new RepeatMemory();
  for (let body = 0; body < 10_000; body++) memory.see('a', print(body), 0);
  expect(memory.see('a', print(0), 0).sameBody).toBe(0);
  expect(memory.see('a', print(9_999), 0).sameBody).toBe(1);
});

test('a network that sends many leads of different people is found, several people in an office are not', () => {
  const arrive = arrivals();
  const of = (n: number, ip: string) =>
    arrive({ email: `person${n}@firm${n}.com`, name: 'Ada Lovelace', ip }).codes;
  const codes = Array.from({ length: 30 }, (_, n) => of(n, `93.184.216.${n}`));
  expect(codes[5]).toEqual([]);
  expect(codes[6]).toEqual(['REPEAT_NETWORK']);
  expect(codes[25]).toEqual(['REPEAT_NETWORK_MANY']);
  expect(of(31, '93.184.217.1')).toEqual([]);
});

test('proxy addresses and invalid addresses are not compared', () => {
  const arrive = arrivals();
  for (const ip of [
    '10.1.2.3',
    '192.168.0.7',
    '127.0.0.1',
    '::1',
    'fd00::1',
    'unknown',
    '999.1.1.1',
    '1::2::3',
  ]) {
    const codes = Array.from(
      { length: 12 },
      (_, n) => arrive({ email: `p${n}@firm${n}.com`, client_ip: ip }).codes,
    );
    expect(codes.flat()).toEqual([]);
  }
});
