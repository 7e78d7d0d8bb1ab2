import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCurlCommand } from '../../src/domain/signature-debug/paste/curl-command.ts';
import { readRawRequest } from '../../src/domain/signature-debug/paste/raw-request.ts';
import { shellWords } from '../../src/domain/signature-debug/paste/shell-words.ts';

const prefix = 'X-SVC-';
const curl = (command: string) => readCurlCommand(command, prefix);
const raw = (text: string) => readRawRequest(text, prefix);

describe('a shell command', () => {
  test('is split into its words, however they are quoted', () => {
    const words = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1 });
    fc.assert(
      fc.property(words, fc.boolean(), (given, isDouble) => {
        const quoted = given.map((word) =>
          isDouble ? `"${word.replaceAll(/["\\$`]/g, '\\$&')}"` : `'${word.replaceAll("'", `'\\''`)}'`,
        );
        expect(shellWords(quoted.join(' '))).toEqual(given);
      }),
    );
  });

  test('may span several lines and use bash quoting', () => {
    expect(shellWords("curl \\\n  -d $'a\\n\\'b\\u00fc\\x41' \\\r\n x")).toEqual([
      'curl',
      '-d',
      "a\n'büA",
      'x',
    ]);
    expect(shellWords('a\'b\'"c"\\ d')).toEqual(['abc d']);
  });
});

describe('a curl command', () => {
  test('has the method, URL, headers and body that curl would send', () => {
    const request =
      curl(`curl --request post https://leads.example/api/v1/ingest/contact?x=1 -H 'X-SVC-Timestamp: 17' \\
      --header='x-svc-signature:ab' -u me:secret --max-time 5 -sSk --data-raw '{"a":1}'`);
    expect(request).toMatchObject({
      timestamp: { times: 1, value: '17' },
      signature: { times: 1, value: 'ab' },
      whole: { method: 'POST', path: '/api/v1/ingest/contact?x=1' },
      contentType: 'application/x-www-form-urlencoded',
    });
    expect(request.body.toString()).toBe('{"a":1}');
  });

  test('joins several bodies as curl does, and knows what --json sends', () => {
    expect(curl('curl -d a=1 -d b=2 http://x/').body.toString()).toBe('a=1&b=2');
    expect(curl(`curl --json '{"a":1}' http://x/`)).toMatchObject({ contentType: 'application/json' });
    expect(curl(`curl -H 'Content-Type: application/json' -d '{}' x`)).toMatchObject({
      contentType: 'application/json',
    });
  });

  test('accepts short options with attached values, and repeated headers', () => {
    const request = curl(
      `curl -XPUT -H'X-SVC-Timestamp: 1' -sH 'X-SVC-Timestamp: 2' http://x/y --data-raw @y`,
    );
    expect(request).toMatchObject({
      timestamp: { times: 2, value: null },
      whole: { method: 'PUT', path: '/y' },
    });
    expect(request.body.toString()).toBe('@y');
  });
});

describe('a raw request', () => {
  test('keeps every byte of its body', () => {
    const body = fc.string({ unit: 'grapheme' });
    fc.assert(
      fc.property(body, fc.constantFrom('\n', '\r\n'), (text, lineEnd) => {
        const request = raw(['POST /x HTTP/1.1', 'X-SVC-Signature: ab', '', text].join(lineEnd));
        expect(request.body.toString()).toBe(text);
        expect(request.signature).toEqual({ times: 1, value: 'ab' });
      }),
    );
  });

  test('drops the line breaks that an editor appended, and only those', () => {
    const withLength = (length: number, body: string) =>
      raw(`POST / HTTP/1.1\nContent-Length: ${length}\n\n${body}`).body.toString();
    expect(withLength(2, '{}\n\n')).toBe('{}');
    expect(withLength(3, '{}\n\n')).toBe('{}\n');
    expect(withLength(2, '{}x\n')).toBe('{}x\n');
  });

  test('may be chunked, and may lack its request line or its body', () => {
    const chunked =
      'POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n4;x=y\r\n":1}\r\n0\r\n\r\n';
    expect(raw(chunked).body.toString()).toBe('{"a":1}');
    expect(raw('Transfer-Encoding: chunked\n\n{"a":1}').body.toString()).toBe('{"a":1}');
    expect(raw('\nX-SVC-Timestamp: 5\n')).toMatchObject({
      timestamp: { value: '5' },
      whole: { method: 'POST', path: '' },
    });
  });

  test('is rejected with a message if it is not one, and never fails otherwise', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        for (const read of [raw, curl, (t: string) => curl(`curl ${t}`)]) {
          try {
            read(text);
          } catch (error) {
            expect((error as Error).constructor.name).toBe('UnreadablePaste');
          }
        }
      }),
    );
  });
});
