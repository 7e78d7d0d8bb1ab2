import type { DueDelivery } from '../../db/deliver/deliver-database.ts';
import type { HubspotContact } from '../../domain/destination/hubspot/contact.ts';
import { type HubspotAccount, upsertContacts } from '../../net/hubspot/hubspot-client.ts';
import { type Clock, secondMs } from '../../time/clock.ts';
import type { Sender, Tried } from '../channel.ts';
import { isToBeHalved, triedContacts } from './contact-result.ts';

export interface SentContact {
  /** Of its item in the parcel. */
  readonly place: number;
  readonly contact: HubspotContact;
  readonly delivery: Pick<DueDelivery, 'eventNumber' | 'attempts'>;
}

export interface ContactRequestsDeps {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** A request each: HubSpot allows ten a second, and an account may have others who send. */
const betweenMs = 250;
/** Of all requests of a parcel. */
const parcelMsMax = 60 * secondMs;

const notSent: Tried = {
  ...{ meaning: 'failed', disables: null, isLeadRefused: false, status: null, retryAfterMs: null },
  ...{ head: null, ms: 0, sentTo: [] },
  errorClass: 'timeout',
  error: 'HubSpot was too slow, so the lead was not sent.',
};

/**
 * The requests of one parcel, one after the other. A request that is refused as a whole is halved until the contact that is
 * to blame is alone: at most two requests for each contact. Any other failure ends the parcel, because it would only
 * happen again.
 */
export class ContactRequests {
  readonly #account: HubspotAccount;
  readonly #deps: ContactRequestsDeps;
  readonly #results = new Map<number, Tried>();
  readonly #endAt: number;
  /** On the monotonic scale. */
  #nextAt = Number.NEGATIVE_INFINITY;
  /** What became of everything that follows, if no more is sent. */
  #rest: Tried | null = null;

  constructor(account: HubspotAccount, deps: ContactRequestsDeps) {
    this.#account = account;
    this.#deps = deps;
    this.#endAt = deps.clock.monotonic() + parcelMsMax;
  }

  /** What became of the contact of an item, once it was sent. */
  resultOf(place: number): Tried {
    return this.#results.get(place) ?? notSent;
  }

  /** No address occurs twice. */
  async send(group: readonly SentContact[]): Promise<void> {
    await this.#untilPaced();
    const { clock, sender, signal } = this.#deps;
    if (signal.aborted || clock.monotonic() >= this.#endAt) this.#rest ??= notSent;
    if (this.#rest !== null) return this.#settle(group, this.#rest);
    this.#nextAt = clock.monotonic() + betweenMs;
    const contacts = group.map(({ contact }) => contact);
    const result = await upsertContacts(sender, this.#account, contacts, signal);
    if (isToBeHalved(result, contacts.length)) {
      const middle = Math.ceil(group.length / 2);
      await this.send(group.slice(0, middle));
      return this.send(group.slice(middle));
    }
    const tried = triedContacts(result, contacts);
    this.#settle(group, tried);
    const isFailure = tried.meaning !== 'delivered' && !tried.isLeadRefused;
    if (isFailure) this.#rest = { ...tried, status: null, head: null, ms: 0 };
  }

  async #untilPaced(): Promise<void> {
    const { clock, signal } = this.#deps;
    const waitMs = this.#nextAt - clock.monotonic();
    if (waitMs > 0 && this.#rest === null) await clock.sleep(waitMs, signal);
  }

  #settle(group: readonly SentContact[], tried: Tried): void {
    for (const { place } of group) this.#results.set(place, tried);
  }
}
