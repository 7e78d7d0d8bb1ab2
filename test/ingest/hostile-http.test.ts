import { connect } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MalformedCase, malformedCases } from '../support/malformed-http.ts';
import { smuggledMark } from '../support/raw-request.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { statusesIn } from '../support/wire.ts';

const allowed = new Set([100, 200, 202, 410]);
const piecesMax = 3;
let service: TestService;
let sender: Sender;
/** Its requests are always clean, and nobody else counts against its limits. */
let neighbour: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  neighbour = await createSender(service);
});
afterAll(() => service.stop());

/** Says what it has to say, in one go or in pieces, hangs up, and listens until the service does too. */
function speak(bytes: Buffer, pieces: number): Promise<string> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(Number(port), hostname, async () => {
      const size = Math.ceil(bytes.length / pieces);
      for (let at = 0; at < bytes.length; at += size) {
        if (at > 0) await new Promise((turn) => setTimeout(turn, 2));
        if (socket.writable) socket.write(bytes.subarray(at, at + size));
      }
      socket.end();
    }).setNoDelay();
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
    });
    socket.on('error', () => {}).on('close', () => resolve(received));
  });
}

// The token is put in later: cases are listed before there is a service.
const tokenPlace = 'TOKEN'.padEnd(47, '-');
const cases = malformedCases({ path: '/api/v1/ingest', token: tokenPlace });

function bytesFor({ bytes }: MalformedCase): Buffer {
  return Buffer.from(bytes.toString('latin1').replaceAll(tokenPlace, sender.token), 'latin1');
}

describe('malformed HTTP gets 200, 202, 410 or a closed connection, and the next request is served', () => {
  test('the list is as long as it claims, and a token takes the place that is kept for it', () => {
    expect(cases.length).toBeGreaterThan(300);
    expect(sender.token.length).toBe(tokenPlace.length);
  });

  test.each(cases)('$name', async (malformed) => {
    for (let pieces = 1; pieces <= piecesMax; pieces += piecesMax - 1) {
      const received = await speak(bytesFor(malformed), pieces);
      expect(statusesIn(received).filter((status) => !allowed.has(status))).toEqual([]);
      // Whatever follows the first answer has to be an answer again: nothing of the request comes back.
      expect(received).toMatch(/^(?:HTTP\/1\.1 |$)/);
      expect(received).not.toContain('X-Injected');
    }
    const surface = cases.indexOf(malformed) % 2 === 0 ? 'server' : 'webhook';
    expect((await post(service, neighbour, surface)).status).toBe(202);
  });

  test('no request that was hidden in another was carried out', async () => {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    const { rows } = await client.query(
      `select convert_from(body, 'utf8') as body from leads where position($1::bytea in body) > 0`,
      [Buffer.from(smuggledMark)],
    );
    await client.end();
    expect(rows).toEqual([]);
  });
});
