import { expect, test } from 'vitest';
import {
  debuggerSearch,
  diagnosticsSearch,
  leadSearch,
  overviewSearch,
  signInSearch,
  tokenSearch,
} from '../../web/search.ts';

const given = (address: string) => Object.fromEntries(new URLSearchParams(address));

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
    'form_id=1&token_id=2&surface=webhook&request_id=3&reason=4&from=5&to=6&range=15m&tab=limited&live=1&accepted=1',
  ],
  ['the debugger', debuggerSearch, 'form=1&rejection=2&mode=parts'],
])('what stands in the address of %s is read as it is', (_, read, address) => {
  expect(read(given(address))).toEqual(given(address));
});

test.each([
  ['the overview', overviewSearch, 'range=2y'],
  ['the lead table', leadSearch, 'range=__proto__'],
  ['the token list', tokenSearch, 'show=none'],
  ['diagnostics', diagnosticsSearch, 'range=&tab=rejected&live=true&accepted=0'],
  ['the debugger', debuggerSearch, 'mode=recorded'],
])('what only %s reads, and does not know, is left out', (_, read, address) => {
  expect(read(given(address))).toEqual({});
});

test('a filter that the page does not know is left to the API, which says what is wrong with it', () => {
  expect(leadSearch(given('verdict=odd'))).toEqual({ verdict: 'odd' });
});

test('a value that the page leaves out hides the one in the address', () => {
  const address = given('tab=odd');
  expect({ ...address, ...diagnosticsSearch(address) }).toEqual({});
});
