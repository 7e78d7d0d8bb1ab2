import { expect, test } from 'vitest';
import type { Arrival } from './arrive.ts';
import * as arrive from './arrive.ts';
import type { Authenticated } from './authenticate.ts';
import * as authenticate from './authenticate.ts';
import type { Submission } from './commit/submission.ts';
import * as submission from './commit/submission.ts';
import * as heavyLeads from './heavy/heavy-leads.ts';
import type { Keyed, Parsed } from './parse.ts';
import * as parse from './parse.ts';
import type { Received } from './receive.ts';
import * as receive from './receive.ts';

/** The members of a stage's result, without the protected one that only the stage itself can set. */
type Members<Stage> = { [Name in keyof Stage]: Stage[Name] };

test('an object with the same members does not pass as the result of a stage', () => {
  // The test is that this compiles; `npm run check:code` runs it.
  const forge = {
    // @ts-expect-error: only arrive() creates one
    arrival: (looksLike: Members<Arrival>): Arrival => looksLike,
    // @ts-expect-error: only receive() creates one
    received: (looksLike: Members<Received>): Received => looksLike,
    // @ts-expect-error: only authenticate() creates one
    authenticated: (looksLike: Members<Authenticated>): Authenticated => looksLike,
    // @ts-expect-error: only readKey() creates one
    keyed: (looksLike: Members<Keyed>): Keyed => looksLike,
    // @ts-expect-error: only parse() creates one
    parsed: (looksLike: Members<Parsed>): Parsed => looksLike,
    // @ts-expect-error: only the committer creates one
    submission: (looksLike: Members<Submission>): Submission => looksLike,
  };
  expect(Object.keys(forge)).toHaveLength(6);
});

test('no stage exports the class of its result', () => {
  const exported = [arrive, receive, authenticate, parse, heavyLeads, submission].flatMap(Object.keys);
  const stages = ['Arrival', 'Received', 'Authenticated', 'Keyed', 'Parsed', 'HeavyParsed', 'Submission'];
  expect(exported.filter((name) => stages.includes(name))).toEqual([]);
});
