import { expect, test } from 'vitest';
import { inputErrorMessage, inputErrors } from '../problem.ts';
import { newHeaders, ownSecret } from './own-headers.ts';

test('every header that cannot be sent is named, and its value is not', () => {
  const { error } = newHeaders.safeParse(
    { 'X-Api-Key': 'fine', Host: 's3cret', 'X-Two': 's3cret\r\nX-Three: a' },
    { error: inputErrorMessage },
  );
  expect(error && inputErrors(error)).toEqual([
    { field: 'Host', message: 'Header 2 (`Host`): the service sets this header itself' },
    {
      field: 'X-Two',
      message: 'Header 3 (`X-Two`): use printable ASCII characters without spaces at the ends',
    },
  ]);
});

test('a secret has the form that every library reads', () => {
  expect(ownSecret.safeParse(`whsec_${'A'.repeat(32)}`).success).toBe(true);
  expect(ownSecret.safeParse('hunter2').error?.issues[0]?.message).toBe(
    'use whsec_ and 24 to 64 bytes in base64',
  );
});
