import { spawnSync } from 'node:child_process';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { isWebhookSecret } from './webhook-secret.ts';
import { newWebhookSecret, type WebhookHeaders, webhookHeaders, webhookKey } from './webhook-signature.ts';

const at = new Date('2026-11-16T08:00:00.900Z');
const body = Buffer.from('{"id":9223372036854775807,"name":"Ådä 😀"}');
const message = { id: 'msg_0123', at, body };

// The library compares the timestamp with the machine's clock.
beforeEach(() => vi.useFakeTimers({ now: at, toFake: ['Date'] }));
afterEach(() => vi.useRealTimers());

function isAccepted(secret: string, headers: WebhookHeaders, received = body): boolean {
  try {
    new Webhook(secret).verify(received, headers);
    return true;
  } catch {
    return false;
  }
}

test('the example of the specification is signed as it says', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const example = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: Buffer.from('{"test": 2432232314}'),
  };
  expect(webhookHeaders(example, [webhookKey(secret)])).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

describe('the library of Standard Webhooks', () => {
  test('accepts what is signed with a new secret', () => {
    const secret = newWebhookSecret();
    expect(isWebhookSecret(secret)).toBe(true);
    expect(isAccepted(secret, webhookHeaders(message, [webhookKey(secret)]))).toBe(true);
  });

  test('accepts both secrets during a rotation, and no third', () => {
    const [newest, previous, other] = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
    const headers = webhookHeaders(message, [newest, previous].map(webhookKey));
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    expect(isAccepted(newest, headers)).toBe(true);
    expect(isAccepted(previous, headers)).toBe(true);
    expect(isAccepted(other, headers)).toBe(false);
  });

  test('refuses another body, ID or time', () => {
    const secret = newWebhookSecret();
    const headers = webhookHeaders(message, [webhookKey(secret)]);
    const flipped = Buffer.from(body);
    flipped[1] = (flipped[1] ?? 0) ^ 1;
    expect(isAccepted(secret, headers, flipped)).toBe(false);
    expect(isAccepted(secret, { ...headers, 'webhook-id': 'msg_0124' })).toBe(false);
    expect(isAccepted(secret, { ...headers, 'webhook-timestamp': '1794816001' })).toBe(false);
  });

  test.each([24, 25, 26, 33, 63, 64])('accepts what is signed with a secret of %d bytes', (bytes) => {
    const secret = `whsec_${Buffer.alloc(bytes, 0xfb).toString('base64')}`;
    expect(isWebhookSecret(secret)).toBe(true);
    expect(isAccepted(secret, webhookHeaders(message, [webhookKey(secret)]))).toBe(true);
  });
});

/** Each prints the signature that it expects: secret, ID and time are arguments, the body is the input. */
const receivers = [
  {
    command: 'python3',
    isRequired: true,
    options: [
      '-c',
      'import sys,hmac,base64\ns,i,t=sys.argv[1:4]\nb=sys.stdin.buffer.read()\n' +
        "k=base64.b64decode(s[len('whsec_'):])\n" +
        "print('v1,'+base64.b64encode(hmac.new(k,f'{i}.{t}.'.encode()+b,'sha256').digest()).decode())",
    ],
  },
  {
    command: 'php',
    isRequired: false,
    options: [
      '-r',
      '[, $s, $i, $t] = $argv; $b = stream_get_contents(STDIN);' +
        'echo "v1,".base64_encode(hash_hmac("sha256", "$i.$t.$b", base64_decode(substr($s, 6)), true));',
      '--',
    ],
  },
  {
    command: 'ruby',
    isRequired: false,
    options: [
      '-ropenssl',
      '-rbase64',
      '-e',
      's,i,t=ARGV; b=STDIN.binmode.read; ' +
        'print "v1,"+Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256",Base64.decode64(s[6..]),"#{i}.#{t}.".b+b))',
    ],
  },
];
const installed = receivers.filter(
  ({ command, isRequired }) => isRequired || spawnSync(command, ['--version']).status === 0,
);

test.each(installed)('a receiver in $command computes the same signature', ({ command, options }) => {
  const secret = newWebhookSecret();
  const headers = webhookHeaders(message, [webhookKey(secret)]);
  const given = [secret, headers['webhook-id'], headers['webhook-timestamp']];
  const { stdout } = spawnSync(command, [...options, ...given], { input: body });
  expect(stdout.toString().trim()).toBe(headers['webhook-signature']);
});

test.each([
  '',
  'whsec_',
  'whsec_short',
  `whsec_${Buffer.alloc(23).toString('base64')}`,
  `whsec_${Buffer.alloc(65).toString('base64')}`,
  `whsec_${'A'.repeat(31)}`,
  `whsec_${'A'.repeat(33)}`,
  `whsec_${'_'.repeat(32)}`,
  `whsec_${'A'.repeat(32)}\n`,
  `WHSEC_${'A'.repeat(32)}`,
  'A'.repeat(32),
])('%j is no secret', (text) => {
  expect(isWebhookSecret(text)).toBe(false);
});
