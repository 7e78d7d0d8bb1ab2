import { expect, test } from 'vitest';
import {
  debuggerSearch,
  diagnosticsSearch,
  heldSearch,
  leadSearch,
  overviewSearch,
  signInSearch,
  tokenSearch,
} from '../../../web/search.ts';

const given = (query: string) => Object.fromEntries(new URLSearchParams(query));

test.each([
  ['the sign-in page', signInSearch, 'to=/w/1/leads'],
  ['the overview', overviewSearch, 'range=7d'],
  [
    'the lead table',
    leadSearch,
    'form_id=1&verdict=spam&mark=none&surface=server&q=ada&range=1h&from=2&to=3&field.email=a@b.c',
  ],
  ['the token list', tokenSearch, 'show=all'],
  [
    'diagnostics',
    diagnosticsSearch,
    'form_id=1&token_id=2&surface=webhook&request_id=3&reason=4&from=5&to=6&range=15m&tab=limited&accepted=0&severity=7&group_by=sender',
  ],
  ['held requests', heldSearch, 'reason=1&form_id=2&class=A&state=admitted&decision=3'],
  ['the debugger', debuggerSearch, 'form=1&rejection=2&mode=parts'],
])('the query of %s is read unchanged', (_, read, query) => {
  expect(read(given(query))).toEqual(given(query));
});

test.each([
  ['the overview', overviewSearch, 'range=2y'],
  ['the lead table', leadSearch, 'range=__proto__'],
  ['the token list', tokenSearch, 'show=none'],
  ['diagnostics', diagnosticsSearch, 'range=&tab=rejected&accepted=1&group_by=odd'],
  ['the debugger', debuggerSearch, 'mode=recorded'],
])('a value that only %s reads and does not know is left out', (_, read, query) => {
  expect(read(given(query))).toEqual({});
});

test('a filter that the page does not know is passed on to the API, which says what is wrong with it', () => {
  expect(leadSearch(given('verdict=odd'))).toEqual({ verdict: 'odd' });
});

test('a value that the page leaves out hides the one in the URL', () => {
  const inUrl = given('tab=odd');
  expect({ ...inUrl, ...diagnosticsSearch(inUrl) }).toEqual({});
});
