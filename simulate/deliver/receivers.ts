import { webhookId } from '../../src/domain/destination/request/event-id.ts';
import type { PostRequest, PostResult } from '../../src/net/delivery/delivery-http.ts';
import { secondMs } from '../../src/time/clock.ts';
import type { Random } from '../../src/time/random.ts';
import type { SimulatedClock } from '../../src/time/simulated-clock.ts';
import type { Life } from '../life.ts';
import type { Trace } from '../trace.ts';
import type { Mood } from './delivery-plan.ts';
import { numberOf } from './destinations.ts';
import type { Told } from './messengers.ts';

/** A request to a receiver. */
export interface Sent {
  /** Its number in the plan. */
  readonly destination: number;
  readonly webhookId: string;
  readonly type: string;
  readonly submissionId: string | null;
  readonly life: string;
  /** On the monotonic scale. */
  readonly sentMs: number;
  /** When its parcel left: emails to several recipients follow one another. */
  readonly startedMs: number;
  /** Whether its sender held the lease of the destination then. */
  readonly isLeased: boolean;
  /** Requests to webhooks have none. */
  readonly deliveryId: string | null;
  /** Of an email. */
  readonly recipient: string | null;
  /** Each has a number; all deliveries in it have the same. */
  readonly message: number;
  readonly isDigest: boolean;
  readonly isOnlyCounted: boolean;
  /** What the receiver made of it; null if it did not get that far. */
  status: number | null;
  /** Whether its sender got the response, and when. */
  isTold: boolean;
  toldMs: number;
}

interface Reply {
  readonly status: number | null;
  readonly afterMs: number;
  /** The receiver has accepted or refused it, but the connection breaks before its response. */
  readonly isCut: boolean;
  readonly retryAfterMs: number | null;
}

type IsLeased = (destination: number) => boolean;

const postMsMax = 15 * secondMs;
const pickyShare = 16;

/** The receivers of all destinations. */
export class Receivers {
  readonly requests: Sent[] = [];
  #areWell = false;
  readonly #moods: readonly Mood[];
  readonly #clock: SimulatedClock;
  readonly #random: Random;
  readonly #trace: Trace;
  /** By parcel. */
  readonly #starts = new WeakMap<object, Pick<Sent, 'startedMs' | 'isLeased'>>();
  #messages = 0;

  constructor(moods: readonly Mood[], clock: SimulatedClock, random: Random, trace: Trace) {
    this.#moods = moods;
    this.#clock = clock;
    this.#random = random;
    this.#trace = trace;
  }

  beWell(): void {
    this.#areWell = true;
  }

  post(life: Life, { url, headers, body, signal }: PostRequest, isLeased: IsLeased) {
    const destination = Number(/\/(\d+)\//.exec(url)?.[1]);
    const { type, data } = JSON.parse(body.toString());
    const sent: Sent = {
      ...this.#newMessage(life, destination, isLeased),
      webhookId: headers['webhook-id'] as string,
      type,
      submissionId: data.submission_id ?? null,
      ...{ deliveryId: null, recipient: null, isDigest: false, isOnlyCounted: false },
    };
    return this.#exchange(life, [sent], signal);
  }

  /** A message to people, about one or several deliveries. */
  tell(life: Life, { parcel, items, recipient }: Told, isLeased: IsLeased, signal: AbortSignal) {
    const { destination, isDigest } = parcel;
    const { workspaceId } = destination;
    const own = this.#newMessage(life, numberOf(destination.id), isLeased);
    const start = this.#starts.get(parcel) ?? { startedMs: own.startedMs, isLeased: own.isLeased };
    this.#starts.set(parcel, start);
    const message = { ...own, ...start };
    const sent = items.map(({ delivery, isOnlyCounted }): Sent => {
      const { eventNumber: number, eventType: type, submissionId, id: deliveryId } = delivery;
      const name = webhookId({ workspaceId, number, type, submissionId });
      return {
        ...{ ...message, webhookId: name, type, submissionId },
        ...{ deliveryId, recipient, isDigest, isOnlyCounted },
      };
    });
    return this.#exchange(life, sent, signal);
  }

  #newMessage(life: Life, destination: number, isLeased: IsLeased) {
    const sentMs = life.monotonic();
    return {
      ...{ destination, life: life.name, sentMs, startedMs: sentMs, isLeased: isLeased(destination) },
      ...{ message: ++this.#messages, status: null, isTold: false, toldMs: Number.POSITIVE_INFINITY },
    };
  }

  /** All of them are one request. */
  #exchange(life: Life, all: readonly Sent[], signal: AbortSignal): Promise<PostResult> {
    const [sent] = all as readonly [Sent, ...Sent[]];
    const { destination, sentMs: startedAt } = sent;
    this.requests.push(...all);
    return new Promise<PostResult>((resolve) => {
      let isEnded = false;
      const end = (result: PostResult) =>
        life.whenAwake(() => {
          if (isEnded) return;
          isEnded = true;
          cancel();
          life.step();
          if (life.isOver) return;
          for (const one of all) {
            one.isTold = 'status' in result;
            one.toldMs = life.monotonic();
          }
          resolve(result);
        });
      const ms = () => Math.round(life.monotonic() - startedAt);
      const fail = (failure: 'timeout' | 'reset') => end({ failure, text: failure, ms: ms() });
      const cancel = life.deadline(postMsMax, () => fail('timeout'));
      signal.addEventListener('abort', () => fail('reset'));
      life.step();
      if (life.isOver) return;
      const reply = this.#replyTo(sent);
      this.#clock.deadline(this.#random.between(1, 20), () => {
        for (const one of all) one.status = reply.status;
        this.#trace.add(`receiver ${destination}`, `${sent.webhookId} from ${life.name}: ${reply.status}`);
        this.#clock.deadline(reply.afterMs, () => {
          const { status, retryAfterMs } = reply;
          if (reply.isCut) fail('reset');
          else if (status !== null) end({ status, retryAfterMs, head: null, ms: ms() });
        });
      });
    });
  }

  #replyTo({ destination, webhookId }: Sent): Reply {
    const random = this.#random;
    const mood = this.#moods[destination] as Mood;
    const soon = (status: number | null): Reply => ({
      ...{ status, afterMs: random.between(1, 80), isCut: false, retryAfterMs: null },
    });
    if (mood === 'picky') return soon(isDisliked(webhookId) ? 500 : 200);
    if (this.#areWell || mood === 'well') return soon(200);
    if (mood === 'slow') return { ...soon(200), afterMs: random.between(200, 14_000) };
    if (mood === 'flaky' && random.chance(0.5)) return soon(202);
    return random.pick<() => Reply>([
      () => soon(500),
      () => soon(404),
      () => soon(301),
      () => ({ ...soon(429), retryAfterMs: random.pick([0, 3_000, 60_000]) }),
      // No response within the time limit.
      () => soon(null),
      () => ({ ...soon(null), isCut: true }),
      () => (mood === 'flaky' ? { ...soon(200), isCut: true } : soon(503)),
      () => (random.chance(0.15) ? soon(410) : soon(502)),
    ])();
  }
}

function isDisliked(webhookId: string): boolean {
  return Number.parseInt(webhookId.slice(-4), 16) % pickyShare === 0;
}
