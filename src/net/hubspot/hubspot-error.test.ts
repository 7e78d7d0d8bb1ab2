import { expect, test } from 'vitest';
import { hubspotErrorIn } from './hubspot-error.ts';

const embedded =
  'Property values were not valid: [{"isValid":false,"message":"Property \\"foo\\" does not exist","error":"PROPERTY_DOESNT_EXIST","name":"foo"}]';
const foo = { message: 'Property "foo" does not exist', code: 'PROPERTY_DOESNT_EXIST', property: 'foo' };

test('the flaws of properties are read from the details, or from the message if there are none', () => {
  const details = [
    { message: foo.message, code: foo.code, context: { propertyName: ['foo'] } },
    { message: 'Too long', code: 'LENGTH' },
  ];
  expect(hubspotErrorIn(JSON.stringify({ message: embedded, errors: details })).flaws).toEqual([
    foo,
    { message: 'Too long', code: 'LENGTH', property: null },
  ]);
  expect(hubspotErrorIn(JSON.stringify({ message: embedded })).flaws).toEqual([foo]);
  const multiStatus = { status: 'COMPLETE', results: [], errors: [{ message: embedded }] };
  expect(hubspotErrorIn(JSON.stringify(multiStatus)).flaws).toEqual([foo]);
});

test('a body that is cut still says what is wrong', () => {
  const body = JSON.stringify({ status: 'error', message: embedded, errors: [{ message: 'x'.repeat(99) }] });
  expect(hubspotErrorIn(body.slice(0, -50)).flaws).toEqual([foo]);
});

test('the scopes are names, whatever else is there', () => {
  const context = { requiredGranularScopes: ['crm.objects.contacts.write', 5, 'a scope\nwith text'] };
  const body = { category: 'MISSING_SCOPES', message: 'no', errors: [{ message: 'one of', context }] };
  expect(hubspotErrorIn(JSON.stringify(body)).scopes).toEqual(['crm.objects.contacts.write']);
});

test.each([
  ['nothing', ''],
  ['text', 'Bad gateway'],
  ['a page', '<html>"message": oops</html>'],
  ['a list', '[1]'],
  ['null', 'null'],
  ['odd members', '{"message":5,"errors":{"a":1},"context":[]}'],
  ['odd details', '{"errors":[null,1,{"message":{}},{"context":{"propertyName":"a"}}]}'],
])('a body that is %s says nothing, and breaks nothing', (_, body) => {
  expect(hubspotErrorIn(body)).toEqual({ flaws: [], scopes: [] });
});
