import { expect, test } from 'vitest';
import { loadScoringData } from './data.ts';
import { RepeatMemory } from './repeat-memory.ts';
import { createScorer } from './scorer.ts';
import { compileScoring } from './settings/compile.ts';
import { defaultScoringSettings } from './settings/settings.ts';

const scorer = createScorer(loadScoringData());
const form = compileScoring(defaultScoringSettings, [], 0);
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const message = 'We ship forty pallets a week and would like a quote for the next quarter, please.';
const long = `${message} Our warehouse is in Leeds and open from six to six. We also need insurance for the goods, and a
  contact for the weekend. Last year we paid about nine pounds per pallet and day, without handling.`;

/** Submits leads to one form and returns the verdict and findings of each. */
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
    const found = reasons.filter(({ family }) => family === 'repeat');
    return {
      verdict,
      codes: found.map(({ code }) => code),
      texts: found.map(({ text }) => text),
      forget,
    };
  };
}

const lead = (email: string, text = message) => ({ name: 'Ada Lovelace', email, message: text });
const times = <Result>(count: number, make: (number: number) => Result) =>
  Array.from({ length: count }, (_, number) => make(number));

test('the third lead with the same message from the same address is spam, the first stays clean', () => {
  const arrive = arrivals();
  const seen = times(4, () => arrive(lead('ada@engines.io')));
  expect(seen.map(({ verdict }) => verdict)).toEqual(['clean', 'clean', 'spam', 'spam']);
  expect(seen[1]?.texts).toEqual(['Same lead received 2 times within 6 hours']);
  expect(seen[3]?.texts).toEqual(['Flood: same lead received 4 times within 6 hours']);
});

test('a message of one word that one person sends over and over is a flood, sent twice it is not', () => {
  const arrive = arrivals();
  const codes = times(50, () => arrive({ email: 'ada@engines.io', message: 'Hi' }).codes);
  expect(codes.slice(0, 5)).toEqual([[], [], ['REPEAT_BODY'], ['REPEAT_BODY'], ['REPEAT_FLOOD']]);
  expect(new Set(codes.slice(5).flat())).toEqual(new Set(['REPEAT_FLOOD']));
});

test('short leads of different people are never repeats', () => {
  const arrive = arrivals();
  const codes = times(200, (n) => [
    ...arrive({ email: `person${n}@firm${n}.com`, message: 'Call me' }).codes,
    ...arrive({ email: `guest${n}@firm${n}.com` }).codes,
    ...arrive({ phone: `+49 30 90${10_000 + n * 7}`, message: 'Please call me back tomorrow' }).codes,
  ]);
  expect(codes.flat()).toEqual([]);
});

test('signing up again is harmless, signing up twenty times is a flood', () => {
  const arrive = arrivals();
  const seen = times(20, () => arrive({ email: 'ada@gmail.com' }));
  expect(seen.slice(0, 4).flatMap(({ codes }) => codes)).toEqual([]);
  expect(new Set(seen.slice(4, 19).map(({ verdict }) => verdict))).toEqual(new Set(['clean']));
  expect(seen[19]).toMatchObject({ verdict: 'spam', codes: ['REPEAT_FLOOD'] });
});

test('field order, dots in a Gmail address, another browser and another time of display do not hide a repeat', () => {
  const timed = compileScoring(
    { ...defaultScoringSettings, timing: { renderedAtField: 'shown', minMs: 1 } },
    [],
    1,
  );
  const memory = new RepeatMemory();
  const codesOf = (fields: Record<string, unknown>) =>
    scorer
      .score(fields, timed, { now: 0, see: (print) => memory.see('a', print, 0) })
      .reasons.map(({ code }) => code);
  codesOf({ ...lead('adalovelace@gmail.com'), user_agent: 'A', shown: '1731000000', sent: 1.731e12 });
  const again = { message, email: 'Ada.Lovelace+x@gmail.com', name: 'Ada Lovelace', user_agent: 'B' };
  expect(codesOf({ ...again, shown: '1731000009', sent: 1.732e12 })).toContain('REPEAT_BODY');
});

test('leads that differ in a number, a tick or a link are not the same', () => {
  const arrive = arrivals();
  const differing = times(40, (n) => [
    { email: 'ada@engines.io', quantity: n },
    { email: 'bob@engines.io', [`day_${n}`]: true },
    { email: 'eve@engines.io', message: `I would like to buy this one: https://shop.example.com/${100 + n}` },
  ]);
  const codes = differing.flat().flatMap((fields) => arrive(fields).codes);
  expect(codes.filter((code) => code !== 'REPEAT_EMAIL')).toEqual([]);
});

test('a lead that was not stored is forgotten, so that a retry does not count as a flood', () => {
  const arrive = arrivals();
  for (let attempt = 0; attempt < 40; attempt++) arrive(lead('ada@engines.io', long)).forget();
  expect(arrive(lead('ada@engines.io', long))).toMatchObject({ verdict: 'clean', codes: [] });
  for (let attempt = 0; attempt < 40; attempt++) arrive(lead(`ada${attempt}@engines.io`, long)).forget();
  expect(arrive(lead('bob@engines.io', long)).texts).toEqual([
    'Nearly the same message from other people within 6 hours: 1',
  ]);
});

test('forgetting one copy keeps the others, even after hours', () => {
  const early = arrivals();
  const first = early(lead('ada@engines.io'), 0);
  early(lead('ada@engines.io'), 3.5 * hourMs);
  first.forget();
  expect(early(lead('ada@engines.io'), 3.6 * hourMs).codes).toEqual(['REPEAT_BODY']);
  const arrive = arrivals();
  arrive(lead('ada@engines.io', long), hourMs);
  const second = arrive(lead('ada@engines.io', long), 4.5 * hourMs);
  arrive(lead('bob@engines.io', long), 4.6 * hourMs);
  second.forget();
  expect(arrive(lead('ada@engines.io', long), 4.7 * hourMs).codes).toEqual(['REPEAT_BODY', 'REPEAT_NEAR']);
});

test('the same text from many people is suspect, never spam, and the finding says that the form may fill it in', () => {
  const arrive = arrivals();
  const seen = times(100, (n) => arrive(lead(`ada${n}@engines.io`, long), n * minuteMs));
  expect(seen[0]).toMatchObject({ verdict: 'clean', codes: [] });
  expect(seen[3]).toMatchObject({ verdict: 'clean', codes: ['REPEAT_NEAR'] });
  expect(new Set(seen.slice(4).map(({ verdict }) => verdict))).toEqual(new Set(['suspect']));
  expect(seen[12]?.texts).toEqual(['The same text from 12 other people; the form may fill it in']);
  expect(seen[99]?.texts).toEqual(['The same text from 32 or more other people; the form may fill it in']);
});

test('no repetition makes spam of messages from different people, not even from one network', () => {
  const arrive = arrivals();
  const seen = times(60, (n) => arrive({ ...lead(`ada${n}@engines.io`, long), ip: '93.184.216.34' }));
  expect(seen[59]?.codes).toEqual(['REPEAT_NEAR_FLOOD', 'REPEAT_NETWORK_MANY']);
  expect(seen.filter(({ verdict }) => verdict === 'spam')).toEqual([]);
});

/** Replaces every n-th word, each time by another one, and moves the first sentence to the end. */
function varied(text: string, every: number, number: number): string {
  const words = text
    .split(/\s+/)
    .map((word, at) => ((at + number) % every === 0 ? `w${number}x${at}` : word));
  return `${words.slice(17).join(' ')} ${words.slice(0, 17).join(' ')} Regards, N${number}`;
}

test('a message of which every fifth word is changed is found, whatever the order of its sentences', () => {
  const arrive = arrivals();
  const seen = times(60, (n) => arrive(lead(`ada${n}@engines.io`, varied(long, 5, n))));
  expect(new Set(seen.slice(20).map(({ verdict }) => verdict))).toEqual(new Set(['suspect']));
  expect(seen[59]?.codes).toEqual(['REPEAT_NEAR_MANY']);
});

test('repetition of any kind together with a trifle is not spam either', () => {
  const arrive = arrivals();
  const seen = times(60, (n) =>
    arrive({ ...lead(`info@engines${n}.io`, varied(long, 5, n)), ip: '93.184.216.34' }),
  );
  expect(seen[59]?.codes).toEqual(['REPEAT_NEAR_MANY', 'REPEAT_NETWORK_MANY']);
  expect(seen.filter(({ verdict }) => verdict === 'spam')).toEqual([]);
});

test('a person who sends many variants of one message is found', () => {
  const arrive = arrivals();
  const codes = times(7, (n) => arrive(lead('ada@engines.io', `${long} Flat ${n}.`)).codes);
  expect(codes.slice(0, 5).flat()).toEqual([]);
  expect(codes[6]).toEqual(['REPEAT_VARIED']);
});

test('copies without any name are suspect at most, because they may come from many people', () => {
  const arrive = arrivals();
  const flood = (text: string) => times(60, () => arrive({ message: text })).at(-1);
  expect(flood(long)).toMatchObject({ verdict: 'suspect' });
  expect(flood(long)?.codes).toContain('REPEAT_NEAR_FLOOD');
  expect(flood('Great service, thank you all')).toMatchObject({ codes: ['REPEAT_NEAR_FLOOD'] });
  expect(flood('Yes')).toMatchObject({ verdict: 'clean', codes: ['REPEAT_BODY'] });
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

test('repeats are remembered for hours, and after six hours the same lead counts as new', () => {
  const arrive = arrivals();
  arrive(lead('ada@engines.io', long), 0);
  expect(arrive(lead('ada@engines.io', long), 5 * hourMs).codes).toEqual(['REPEAT_BODY']);
  expect(arrive(lead('bob@engines.io', long), 10 * hourMs).codes).toEqual(['REPEAT_NEAR']);
  expect(arrive(lead('bob@engines.io', long), 17 * hourMs).codes).toEqual([]);
});

test('an address that sends many different leads within an hour is found', () => {
  const arrive = arrivals();
  const codes = times(
    12,
    (number) =>
      arrive({ email: 'ada@engines.io', name: `Ada ${'x'.repeat(number)}` }, number * minuteMs).codes,
  );
  expect(codes[0]).not.toContain('REPEAT_EMAIL');
  expect(codes[11]).toContain('REPEAT_EMAIL');
  for (let copy = 0; copy < 300; copy++) arrive(lead('bob@engines.io'), 12 * minuteMs);
  expect(arrive({ email: 'ada@engines.io' }, 12 * minuteMs).codes).toContain('REPEAT_EMAIL');
});

test('leads that were not stored do not count for their address and network', () => {
  const arrive = arrivals();
  for (let n = 0; n < 40; n++) arrive({ email: 'ada@engines.io', ip: '93.184.216.34', number: n }).forget();
  expect(arrive({ email: 'ada@engines.io', ip: '93.184.216.34' }).codes).toEqual([]);
  expect(arrive({ email: 'bob@engines.io', ip: '93.184.216.34' }).codes).toEqual([]);
});

test('a network that sends many leads of different people is found, several people in an office are not', () => {
  const arrive = arrivals();
  const of = (n: number, ip: string) =>
    arrive({ email: `person${n}@firm${n}.com`, name: 'Ada Lovelace', ip }).codes;
  const codes = times(30, (n) => of(n, `93.184.216.${n}`));
  expect(codes[5]).toEqual([]);
  expect(codes[6]).toEqual(['REPEAT_NETWORK']);
  expect(codes[25]).toEqual(['REPEAT_NETWORK_MANY']);
  expect(of(31, '93.184.217.1')).toEqual([]);
});

test('proxy addresses and invalid addresses are not compared', () => {
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
    const arrive = arrivals();
    const codes = times(12, (n) => arrive({ email: `p${n}@firm${n}.com`, client_ip: ip }).codes);
    expect(codes.flat()).toEqual([]);
  }
});
