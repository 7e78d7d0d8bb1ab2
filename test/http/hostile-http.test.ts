import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MalformedCase, malformedCases } from '../support/http/malformed-http.ts';
import { smuggledMark, whole } from '../support/http/raw-request.ts';
import { speakInPackets, statusesIn } from '../support/http/wire.ts';
import { createSender, post, type Sender } from '../support/sender.ts';
import { startTestService, type TestService } from '../support/service.ts';

const allowed = new Set([100, 200, 202]);
let service: TestService;
let sender: Sender;
/** Sends only clean requests, and nobody else uses up its limits. */
let neighbour: Sender;

beforeAll(async () => {
  service = await startTestService();
  sender = await createSender(service);
  neighbour = await createSender(service);
});
afterAll(() => service.stop());

// The token is inserted later: cases are listed before the service starts.
const tokenPlace = 'TOKEN'.padEnd(47, '-');
const cases = malformedCases({ path: '/api/v1/ingest', token: tokenPlace });

const casesAtOnce = 16;
// Those of the ways below that have no request before.
const waysAlone = 3;
const closing400 = /HTTP\/1\.1 400 .*(?:\r\n.+)*\r\nConnection: close/;
const goneEnd = '/api/v1/ingest/:slug."}';

/** In one packet, in two, and behind other requests. Each case is cut at different places. */
function waysToSend({ bytes: withPlace }: MalformedCase, number: number): Buffer[][] {
  const bytes = Buffer.from(withPlace.toString('latin1').replaceAll(tokenPlace, sender.token), 'latin1');
  const before = Buffer.from(whole({ path: '/api/ingest/x', token: null }), 'latin1');
  const early = (number * 7) % Math.min(bytes.length, 300);
  const late = bytes.length - 1 - ((number * 11) % Math.min(bytes.length, 100));
  return [
    [bytes],
    [bytes.subarray(0, early), bytes.subarray(early)],
    [bytes.subarray(0, late), bytes.subarray(late)],
    [Buffer.concat([before, bytes.subarray(0, late)]), bytes.subarray(late)],
    [before, bytes.subarray(0, early), bytes.subarray(early)],
  ];
}

interface Heard {
  readonly isAlone: boolean;
  /** Without the response to the request before. */
  readonly received: string;
}

/** The responses of the service in some of these ways, or in all. */
async function answersTo(malformed: MalformedCase, number: number, places?: number[]): Promise<Heard[]> {
  const ways = [...waysToSend(malformed, number).entries()];
  const sent = places === undefined ? ways : ways.filter(([way]) => places.includes(way));
  return Promise.all(
    sent.map(async ([way, packets]) => {
      const received = await speakInPackets(service.url, packets);
      if (way < waysAlone) return { isAlone: true, received };
      expect(received).toMatch(/^HTTP\/1\.1 410 /);
      return { isAlone: false, received: received.slice(received.indexOf(goneEnd) + goneEnd.length) };
    }),
  );
}

/** Several cases at a time, each whole and in one other way. split-http.test.ts covers the rest. */
async function forEachCase(
  all: readonly MalformedCase[],
  hear: (answer: Heard, malformed: MalformedCase) => void,
): Promise<void> {
  const waiting = [...all.entries()];
  const converse = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [number, malformed] = next;
      for (const answer of await answersTo(malformed, number, [0, 1 + (number % 4)])) hear(answer, malformed);
    }
  };
  await Promise.all(Array.from({ length: casesAtOnce }, converse));
}

describe('malformed HTTP gets 200, 202 or a closed connection, and the next request is served', () => {
  test('the list has the expected length, and the token replaces its placeholder', () => {
    expect(cases.length).toBeGreaterThan(300);
    expect(sender.token.length).toBe(tokenPlace.length);
  });

  test.each(cases)('$name', async (malformed) => {
    const number = cases.indexOf(malformed);
    const isRetiredToo = malformed.name.includes('retired, then good');
    for (const { received } of await answersTo(malformed, number)) {
      const foreign = statusesIn(received).filter((status) => !allowed.has(status));
      expect(foreign).toEqual(isRetiredToo && foreign.length > 0 ? [410] : []);
      // Anything after the first response must be a response too: no part of the request is echoed.
      expect(received).toMatch(/^(?:HTTP\/1\.1 |$)/);
      expect(received).not.toContain('X-Injected');
    }
    const surface = number % 2 === 0 ? 'server' : 'webhook';
    expect((await post(service, neighbour, surface)).status).toBe(202);
  });
});

test('malformed HTTP to the retired path gets 410 or a closed connection', async () => {
  const retired = malformedCases({ path: '/api/ingest/x', token: tokenPlace });
  await forEachCase(retired, ({ received }, { name }) => {
    const foreign = statusesIn(received).filter((status) => status !== 100 && status !== 410);
    expect(foreign, name).toEqual([]);
  });
});

test('malformed HTTP to another path gets no response of the ingest paths, and none at all behind another request', async () => {
  const other = malformedCases({ path: '/api/v1/no-such-call', token: tokenPlace });
  await forEachCase(other, ({ isAlone, received }, { name }) => {
    const foreign = statusesIn(received).filter((status) => [200, 202, 410].includes(status));
    expect(foreign, name).toEqual([]);
    // The API also answers 400 to requests that Node can parse, and keeps the connection.
    if (!isAlone) expect(received, name).not.toMatch(closing400);
  });
});

test('no request that was smuggled inside another was processed', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  await client.connect();
  const { rows } = await client.query(
    `select convert_from(body, 'utf8') as body from leads where position($1::bytea in body) > 0`,
    [Buffer.from(smuggledMark)],
  );
  await client.end();
  expect(rows).toEqual([]);
});
