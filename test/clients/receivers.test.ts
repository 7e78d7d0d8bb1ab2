import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';

const folder = join(import.meta.dirname, '../../clients/receivers');
const secret = `whsec_${Buffer.from('a key of thirty-two bytes, no less').toString('base64')}`;
const id = 'msg_0123456789abcdef0123456789abcdef';
const body = Buffer.from('{"type":"test","data":{"name":"Zoë � 🦉","id":1234567890123456789}}');
const nowSeconds = () => Math.floor(Date.now() / 1000);

interface Sample {
  readonly command: readonly [string, ...string[]];
  readonly version: string;
  readonly parts: readonly RegExp[];
  readonly isRequired?: true;
}

/** How to run each sample, and what it must contain: those of languages that are not installed do not run. */
const samples: Record<string, Sample> = {
  sh: { command: ['sh'], version: '-c true', parts: [/-le 300/], isRequired: true },
  mjs: {
    command: [process.execPath],
    version: '--version',
    parts: [/timingSafeEqual/, />\s300/],
    isRequired: true,
  },
  py: { command: ['python3'], version: '--version', parts: [/compare_digest/, />\s300/], isRequired: true },
  php: { command: ['php'], version: '--version', parts: [/hash_equals/, /> 300/] },
  go: { command: ['go', 'run'], version: 'version', parts: [/hmac\.Equal/, /> 5\*time\.Minute/] },
  rb: { command: ['ruby'], version: '--version', parts: [/secure_compare/, /<= 300/] },
};
const runnable = Object.entries(samples).filter(
  ([, { command, version, isRequired }]) =>
    isRequired || spawnSync(command[0], version.split(' ')).status === 0,
);

interface Delivery {
  readonly seconds?: number;
  readonly signature?: string;
  readonly bytes?: Buffer;
}

function signed(seconds: number, key = secret): string {
  return new Webhook(key).sign(id, new Date(seconds * 1_000), body.toString());
}

/** What the sample prints and its exit code. */
function verdictOf(
  ending: string,
  { command }: Sample,
  { seconds = nowSeconds(), signature, bytes = body }: Delivery,
) {
  const [program, ...options] = command;
  const { status, stdout } = spawnSync(program, [...options, join(folder, `verify.${ending}`)], {
    input: bytes,
    encoding: 'utf8',
    env: {
      ...process.env,
      WEBHOOK_SECRET: secret,
      WEBHOOK_ID: id,
      WEBHOOK_TIMESTAMP: String(seconds),
      WEBHOOK_SIGNATURE: signature ?? signed(seconds),
    },
  });
  return [stdout.trim(), status];
}

const valid = ['valid', 0];
const invalid = ['invalid', 1];

describe.each(runnable)('verify.%s', (ending, sample) => {
  const verdict = (delivery: Delivery) => verdictOf(ending, sample, delivery);

  test('accepts what the reference library signs, also beside another signature', () => {
    expect(verdict({})).toEqual(valid);
    const seconds = nowSeconds();
    const other = signed(seconds, `whsec_${Buffer.alloc(32).toString('base64')}`);
    expect(verdict({ seconds, signature: `${other} ${signed(seconds)}` })).toEqual(valid);
  });

  test('refuses a changed body, another key, another version and no signature', () => {
    expect(verdict({ bytes: Buffer.concat([body, Buffer.from(' ')]) })).toEqual(invalid);
    const seconds = nowSeconds();
    const other = signed(seconds, `whsec_${Buffer.alloc(32).toString('base64')}`);
    expect(verdict({ seconds, signature: other })).toEqual(invalid);
    expect(verdict({ seconds, signature: signed(seconds).replace('v1,', 'v2,') })).toEqual(invalid);
    expect(verdict({ signature: 'v1,' })).toEqual(invalid);
  });

  test('refuses a request that is more than five minutes old, or from the future', () => {
    expect(verdict({ seconds: nowSeconds() - 400 })).toEqual(invalid);
    expect(verdict({ seconds: nowSeconds() + 400 })).toEqual(invalid);
    expect(verdict({ seconds: Number.NaN, signature: signed(nowSeconds()) })).toEqual(invalid);
  });
});

test('every sample compares in constant time and checks the age', () => {
  for (const [ending, { parts }] of Object.entries(samples)) {
    const code = readFileSync(join(folder, `verify.${ending}`), 'utf8');
    for (const part of parts) expect(code, ending).toMatch(part);
  }
});

test('the receiver prints a delivery that arrives twice once, and refuses what is not signed', async () => {
  const child = spawn(process.execPath, [join(folder, 'receiver.mjs')], {
    env: { PATH: process.env.PATH ?? '', WEBHOOK_SECRET: secret, PORT: '0' },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  try {
    const port = (await next()).replace('listening on ', '');
    const deliver = async (webhookId: string, signature?: string) => {
      const seconds = nowSeconds();
      const own = new Webhook(secret).sign(webhookId, new Date(seconds * 1_000), body.toString());
      const { status } = await fetch(`http://127.0.0.1:${port}/`, {
        method: 'POST',
        headers: {
          'webhook-id': webhookId,
          'webhook-timestamp': String(seconds),
          'webhook-signature': signature ?? own,
        },
        body,
      });
      return status;
    };
    expect(await deliver('msg_1')).toBe(204);
    expect(await deliver('msg_1')).toBe(204);
    expect(await deliver('msg_2', 'v1,AAAA')).toBe(401);
    expect(await deliver('msg_3')).toBe(204);
    expect(JSON.parse(await next())).toMatchObject({ id: 'msg_1', type: 'test' });
    expect(JSON.parse(await next())).toMatchObject({ id: 'msg_3' });
  } finally {
    child.kill('SIGTERM');
  }
});
