import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../config.ts';
import '../../../test/support/properties.ts';
import { DatabaseUrlError, nameOf, parseDatabaseUrl } from './database-url.ts';

const target = 'target_session_attrs=read-write';

function messageOf(url: string): string {
  try {
    readConfig({ DATABASE_URL: url }, () => 'k'.repeat(32));
    return 'accepted';
  } catch (error) {
    return (error as Error).message;
  }
}

test('one host without target_session_attrs is left to the driver as it is', () => {
  for (const url of [
    'postgres://localhost/db',
    'postgresql://user:password@db.example:6432/db?sslmode=verify-full',
    'postgres://leadgate@/leadgate?host=%2Ftmp%2Fsocket',
    'postgres://%2Ftmp%2Fsocket/db',
    'postgres:///db',
    // These worked before there were lists.
    'postgres://user:p@ssword@host/db',
    'postgres://user:100%@host/db',
    'postgres://user:a,b@host/db',
    'postgres://user@host',
  ]) {
    expect(parseDatabaseUrl(url)).toEqual({ hosts: [], url });
    expect(messageOf(url)).toBe('accepted');
  }
});

test('several hosts are read as libpq reads them', () => {
  const url = `postgres://us%2Cer:p%40ss@a,b:5433,[::1]:6000,[::2],%2Ftmp%2Fx,a:5432/db?sslmode=disable&${target}&a=b`;
  const { hosts, url: rest } = parseDatabaseUrl(url);
  expect(hosts.map(nameOf)).toEqual(['a:5432', 'b:5433', '[::1]:6000', '[::2]:5432', '/tmp/x:5432']);
  expect(rest).toBe('postgres://us%2Cer:p%40ss@localhost/db?sslmode=disable&a=b');
  const one = { hosts: [{ host: 'a', port: 1 }], url: 'postgres://localhost/db' };
  expect(parseDatabaseUrl('postgres://a:1/db?target_session_attrs=primary')).toEqual(one);
  const socket = { host: '/tmp/x', port: 5433 };
  expect(parseDatabaseUrl(`postgres://u@/db?${target}&host=%2Ftmp%2Fx&port=5433`).hosts).toEqual([socket]);
});

describe('a URL that cannot work gets one sentence without any part of it', () => {
  test.each([
    ['postgres://sesame:open@a:1,b:x/db', 'the port of host 2 must be a number from 1 to 65535'],
    ['postgres://sesame:open@a:0,b/db', 'the port of host 1 must be a number from 1 to 65535'],
    ['postgres://sesame:open@a:99999/db', 'the port must be a number from 1 to 65535'],
    ['postgres://sesame:open@a:1e3/db', 'the port must be a number from 1 to 65535'],
    ['postgres://sesame:open@:5432/db', 'the name of the host is empty or invalid'],
    ['postgres://sesame:open@a,/db', 'the name of host 2 is empty or invalid'],
    ['postgres://sesame:open@a,,b/db', 'the name of host 2 is empty or invalid'],
    ['postgres://sesame:o@pen@a,b/db', 'has more than one @'],
    ['postgres://sesame:open%@a,b/db', 'write % as %25'],
    ['postgres://sesame:open@a,b', 'has no database name'],
    ['postgres://sesame:open@a,b/', 'has no database name'],
    ['postgres://sesame:open@::1:5432/db', 'an IPv6 address must be in brackets'],
    ['postgres://sesame:open@[::1,b/db', 'the name of host 1 is empty or invalid'],
    ['postgres://sesame:open@[::g],b/db', 'the address in brackets of host 1 is not an IPv6 address'],
    [
      'postgres://sesame:open@a/db?host=a,b',
      'write several hosts as postgres://a:5432,b:5432/db, not as ?host=a,b',
    ],
    ['postgres://sesame:open@/db?host=a,b&port=1,2', 'write several hosts as postgres://a:5432,b:5432/db'],
    ['postgres://sesame:open@a,b/db?host=c', 'cannot have several hosts and the parameter host or port'],
    [
      'postgres://sesame:open@a,b/db?target_session_attrs=any',
      'must be read-write or primary, because Leadgate writes',
    ],
    ['postgres://sesame:open@a/db?target_session_attrs=standby', 'must be read-write or primary'],
    ['postgres://sesame:op/en@a:1,b/db', 'write / ? # and @ in a password as %2F %3F %23 and %40'],
    ['postgres://sesame:op?en@a:1,b/db', 'write / ? # and @ in a password'],
    ['postgres://sesame:op#en@a:1,b/db', 'write / ? # and @ in a password'],
    ['postgres://sesame:%ff@a/db', 'is not a valid URL'],
    ['postgres://sesame:open@a/db?sslrootcert=/no/such/file', 'cannot read /no/such/file (ENOENT)'],
    ['mysql://sesame:open@a/db', 'must start with postgres://'],
  ])('%s', (url, sentence) => {
    const message = messageOf(url);
    expect(message).toMatch(/^Invalid configuration:\n {2}DATABASE_URL: [^\n]+$/);
    expect(message).toContain(sentence);
    expect(message).not.toMatch(/sesame|open/);
  });
});

const name = fc.stringMatching(/^[a-z][a-z0-9.-]{0,20}$/);
const port = fc.integer({ min: 1, max: 65_535 });
const word = fc.string({ minLength: 1, unit: 'grapheme' });

test('every list of hosts is read back as it was written, and user and password stay as they are', () => {
  const place = fc.record({ host: fc.oneof(name, fc.ipV6()), port });
  fc.assert(
    fc.property(fc.uniqueArray(place, { minLength: 2, selector: nameOf }), word, (hosts, password) => {
      const user = `leadgate:${encodeURIComponent(password)}@`;
      const parsed = parseDatabaseUrl(`postgres://${user}${hosts.map(nameOf).join(',')}/db?${target}`);
      expect(parsed).toEqual({ hosts, url: `postgres://${user}localhost/db` });
    }),
  );
});

test('any other text is read or refused, never with an error of another kind', () => {
  const piece = fc.oneof(fc.constantFrom(...'@:/?#,%[]&= ', 'host=', target, '%2F', '::1', 'a'), word);
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      try {
        parseDatabaseUrl(`postgres://${pieces.join('')}`);
      } catch (error) {
        expect(error).toBeInstanceOf(DatabaseUrlError);
      }
    }),
  );
});
