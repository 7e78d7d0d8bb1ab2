import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Random } from '../../src/time/random.ts';

/**
 * What a receiver has told the service about a delivery.
 *   accepted  a whole response with 2xx: the service must not send it again, unless it was killed
 *   refused   anything that no service can take for a success: it must send it again
 *   unclear   2xx, but the response never becomes whole: it may do either
 */
export type Answer = 'accepted' | 'refused' | 'unclear';

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly random: Random;
  /** A URL of a receiver that nobody may follow a redirect to. */
  readonly trapUrl: string;
}

interface Manner {
  readonly answer: Answer;
  /** How often, compared with the others. */
  readonly weight: number;
  readonly respond: (exchange: Exchange) => void;
}

const trickleMs = 1_000;
const htmlBytes = [100, 80_000] as const;

/** Those that take until the service stops waiting are rare, because they occupy its connections. */
const failures: readonly Manner[] = [
  {
    answer: 'refused',
    weight: 40,
    respond: ({ response, random }) => end(response, random.pick([500, 503, 404])),
  },
  {
    answer: 'refused',
    weight: 20,
    respond: ({ response, random }) => {
      response.setHeader('retry-after', random.pick(['0', '1']));
      end(response, 429);
    },
  },
  { answer: 'refused', weight: 20, respond: ({ request }) => request.socket.resetAndDestroy() },
  {
    answer: 'refused',
    weight: 10,
    respond: ({ response, trapUrl }) => {
      response.setHeader('location', trapUrl);
      end(response, 301);
    },
  },
  { answer: 'refused', weight: 2, respond: () => {} },
  { answer: 'refused', weight: 2, respond: ({ request }) => trickle(request, 'HTTP/1.1 200 OK\r\nX-Slow: ') },
  { answer: 'unclear', weight: 2, respond: ({ request }) => trickle(request, 'HTTP/1.1 200 OK\r\n\r\n') },
  {
    answer: 'unclear',
    weight: 10,
    respond: ({ request }) => request.socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nok'),
  },
];

const successes: readonly Manner[] = [
  {
    answer: 'accepted',
    weight: 9,
    respond: ({ response, random }) => end(response, random.pick([200, 202, 204])),
  },
  {
    answer: 'accepted',
    weight: 1,
    respond: ({ response, random }) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<h1>It works</h1>${'<br>'.repeat(random.integer(...htmlBytes) / 4)}`);
    },
  },
];

const [manySuccesses, manyFailures] = [successes, failures].map((manners) =>
  manners.flatMap((manner) => Array.from({ length: manner.weight }, () => manner)),
) as [Manner[], Manner[]];

export function succeed(exchange: Exchange): Answer {
  return perform(manySuccesses, exchange);
}

export function fail(exchange: Exchange): Answer {
  return perform(manyFailures, exchange);
}

function perform(manners: readonly Manner[], exchange: Exchange): Answer {
  const { respond, answer } = exchange.random.pick(manners);
  respond(exchange);
  return answer;
}

function end(response: ServerResponse, status: number): void {
  response.statusCode = status;
  response.end();
}

/** A byte now and then, until the service closes the connection. */
function trickle({ socket }: IncomingMessage, start: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write('a'), trickleMs);
  socket.once('close', () => clearInterval(timer));
}
