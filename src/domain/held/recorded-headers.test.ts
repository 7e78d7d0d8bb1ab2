import { expect, test } from 'vitest';
import { notRecorded, recordHeaders } from './recorded-headers.ts';

test('no credential, cookie, address of a client or unknown header is recorded with its value', () => {
  const secret = 'ingt_srv_abcdefghijklmnopqrstuvwxyz0123456789';
  const sent = {
    ...{ Authorization: `Bearer ${secret}`, Cookie: 'session=1', 'X-Forwarded-For': '192.0.2.7' },
    ...{ 'X-Api-Key': 'k', Forwarded: 'for=192.0.2.7', 'CF-Connecting-IP': '192.0.2.7', 'X-Custom': 'v' },
    ...{ 'Proxy-Authorization': 'Basic eDp5', Referer: 'https://example.com/a?email=ada@example.com#x' },
    ...{ 'X-SVC-Signature': 'a'.repeat(64), 'X-SVC-Timestamp': '1765432100', 'Content-Type': 'text/plain' },
  };
  expect(Object.fromEntries(recordHeaders(Object.entries(sent).flat()))).toEqual({
    ...{ Authorization: 'Bearer ingt_srv_…', Cookie: notRecorded, 'X-Forwarded-For': notRecorded },
    ...{ 'X-Api-Key': notRecorded, Forwarded: notRecorded, 'CF-Connecting-IP': notRecorded },
    ...{ 'X-Custom': notRecorded, 'Proxy-Authorization': notRecorded, Referer: 'https://example.com/a' },
    ...{
      'X-SVC-Signature': 'aaaaaaaaaaaa…aaaa',
      'X-SVC-Timestamp': '1765432100',
      'Content-Type': 'text/plain',
    },
  });
  expect(recordHeaders(['X-Other-Signature', 'shared secret'])).toEqual([['X-Other-Signature', 'shar…']]);
  const referer = recordHeaders(['Referer', 'https://ada:pass@example.com/a@b']);
  expect(referer).toEqual([['Referer', 'https://example.com/a@b']]);
  expect(recordHeaders(['Authorization', secret])).toEqual([['Authorization', notRecorded]]);
});

test('at most 40 headers and 4,096 characters are recorded', () => {
  const many = Array.from({ length: 500 }, (_, n) => [`X-Header-${n}`, 'v']).flat();
  expect(recordHeaders(many)).toHaveLength(40);
  const long = Array.from({ length: 40 }, () => ['User-Agent', 'v'.repeat(16_000)]).flat();
  const characters = recordHeaders(long).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  expect(characters).toBeLessThanOrEqual(4_096);
  expect(recordHeaders(['Host'])).toEqual([]);
});
