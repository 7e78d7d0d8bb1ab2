import type { RejectedRequest } from '../../db/diagnostics/rejected-requests.ts';
import type { BodyHashes } from '../../domain/lead/body-hash.ts';
import {
  type RecordedHeader,
  type RecordedRequest,
  rejectedBodyBytesMax,
  sealRequest,
} from '../../domain/rejected-request.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { shardOf } from '../../domain/workspace.ts';
import { hourMs, minuteMs } from '../../time/clock.ts';
import type { Arrival } from '../arrive.ts';
import { type HeaderValue, repeated } from '../headers.ts';
import type { SignatureRejection } from '../rejection.ts';

/**
 * Per workspace and host. Anyone can send requests to a form, so this limits how much an unauthenticated sender can
 * write to the database. Not per form, so that creating more forms does not raise the limit.
 */
export const keptPerMinute = 5;
export const keptPerHour = 20;
/** Over all workspaces, between two flushes: at most 2 MB of memory per process, even while PostgreSQL is down. */
export const waitingMax = 100;

/** For a request whose body is not kept. */
const noHash = Buffer.alloc(0);

/** A request on its way to the database, not yet encrypted. */
export interface KeptRequest {
  readonly rejectionId: string;
  readonly workspaceId: string;
  readonly formId: string;
  /** The slug it was sent to; the form may have another one when the request is written. */
  readonly slug: string;
  readonly at: number;
  readonly request: RecordedRequest;
}

interface Taken {
  minute: number;
  inMinute: number;
  inHour: number;
}

/** Chooses which rejected requests are kept for the signature debugger, and encrypts them. */
export class KeptRequests {
  readonly #box: SecretBox;
  readonly #bodyHashes: BodyHashes;
  #hour = 0;
  #taken = new Map<string, Taken>();

  constructor(box: SecretBox, bodyHashes: BodyHashes) {
    this.#box = box;
    this.#bodyHashes = bodyHashes;
  }

  /** Null when the workspace has reached its limit. */
  take(
    rejectionId: string,
    { headers, at }: Arrival,
    { form, body }: SignatureRejection,
  ): KeptRequest | null {
    if (!this.#isAllowed(form.workspaceId, at)) return null;
    const request: RecordedRequest = {
      timestamp: recorded(headers.timestamp),
      signature: recorded(headers.signature),
      contentType: typeof headers.contentType === 'string' ? headers.contentType : null,
      bodyBytes: body.length,
      // A copy, because the original is a view of a much larger buffer.
      body: body.length > rejectedBodyBytesMax ? null : Buffer.from(body),
    };
    const { workspaceId, id: formId, slug } = form;
    return { rejectionId, workspaceId, formId, slug, at, request };
  }

  seal({ request, at, ...kept }: KeptRequest): RejectedRequest {
    const { rejectionId, workspaceId } = kept;
    const sealed = sealRequest(this.#box, rejectionId, request);
    const bodyHash = request.body === null ? noHash : this.#bodyHashes.of(workspaceId, request.body);
    return { ...kept, shard: shardOf(workspaceId), at: new Date(at).toISOString(), sealed, bodyHash };
  }

  #isAllowed(workspaceId: string, at: number): boolean {
    const hour = Math.floor(at / hourMs);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#taken = new Map();
    }
    const minute = Math.floor(at / minuteMs);
    const taken = this.#taken.get(workspaceId) ?? { minute, inMinute: 0, inHour: 0 };
    if (taken.minute !== minute) Object.assign(taken, { minute, inMinute: 0 });
    if (taken.inMinute >= keptPerMinute || taken.inHour >= keptPerHour) return false;
    taken.inMinute++;
    taken.inHour++;
    this.#taken.set(workspaceId, taken);
    return true;
  }
}

/**
 * Requests that wait for the next flush. When there are too many, the workspace with the most loses its newest, so that
 * none can crowd out the others, however long PostgreSQL is down.
 */
export class WaitingRequests {
  readonly #countMax: number;
  #waiting: KeptRequest[] = [];

  constructor(countMax = waitingMax) {
    this.#countMax = countMax;
  }

  add(request: KeptRequest): void {
    this.#waiting.push(request);
    if (this.#waiting.length <= this.#countMax) return;
    const counts = new Map<string, number>();
    for (const { workspaceId } of this.#waiting) counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
    const most = Math.max(...counts.values());
    const newest = this.#waiting.findLastIndex(({ workspaceId }) => counts.get(workspaceId) === most);
    this.#waiting.splice(newest, 1);
  }

  keepOnly(isKept: (request: KeptRequest, index: number) => boolean): void {
    this.#waiting = this.#waiting.filter(isKept);
  }

  get all(): readonly KeptRequest[] {
    return this.#waiting;
  }
}

function recorded(header: HeaderValue): RecordedHeader {
  if (header === repeated) return { repeated: true };
  return header ?? null;
}
