import { hourMs, minuteMs } from '../clock.ts';
import type { RejectedRequest } from '../db/rejected-requests.ts';
import {
  type RecordedHeader,
  type RecordedRequest,
  rejectedBodyBytesMax,
  sealRequest,
} from '../domain/rejected-request.ts';
import type { SecretBox } from '../domain/secret-box.ts';
import { shardOf } from '../domain/workspace.ts';
import { type HeaderValue, repeated } from './headers.ts';
import type { Arrival, SignatureRejection } from './submission.ts';

/** Per form and instance. Anybody can send to a form, so this bounds what a stranger can fill the database with. */
const keptPerMinute = 5;
const keptPerHour = 20;
/** Over all forms, between two flushes: at most 2 MB of memory, also while PostgreSQL is away. */
export const keptRequestsWaitingMax = 100;

/** A request on its way to the database, not yet sealed. */
export interface KeptRequest {
  readonly rejectionId: string;
  readonly workspaceId: string;
  readonly formId: string;
  readonly at: number;
  readonly request: RecordedRequest;
}

interface Taken {
  minute: number;
  inMinute: number;
  inHour: number;
}

/** Chooses which rejected requests are kept for the signature debugger, and seals them. */
export class KeptRequests {
  readonly #box: SecretBox;
  #hour = 0;
  #taken = new Map<string, Taken>();

  constructor(box: SecretBox) {
    this.#box = box;
  }

  /** Null when the form has had its share. */
  take(
    rejectionId: string,
    { headers, at }: Arrival,
    { form, body }: SignatureRejection,
  ): KeptRequest | null {
    if (!this.#isAllowed(form.id, at)) return null;
    const request: RecordedRequest = {
      timestamp: recorded(headers.timestamp),
      signature: recorded(headers.signature),
      contentType: typeof headers.contentType === 'string' ? headers.contentType : null,
      bodyBytes: body.length,
      // A copy: what arrived is a window on a much larger piece of memory.
      body: body.length > rejectedBodyBytesMax ? null : Buffer.from(body),
    };
    return { rejectionId, workspaceId: form.workspaceId, formId: form.id, at, request };
  }

  seal({ rejectionId, workspaceId, formId, at, request }: KeptRequest): RejectedRequest {
    const sealed = sealRequest(this.#box, rejectionId, request);
    const shard = shardOf(workspaceId);
    return { shard, workspaceId, rejectionId, formId, at: new Date(at).toISOString(), sealed };
  }

  #isAllowed(formId: string, at: number): boolean {
    const hour = Math.floor(at / hourMs);
    if (hour !== this.#hour) {
      this.#hour = hour;
      this.#taken = new Map();
    }
    const minute = Math.floor(at / minuteMs);
    const taken = this.#taken.get(formId) ?? { minute, inMinute: 0, inHour: 0 };
    if (taken.minute !== minute) Object.assign(taken, { minute, inMinute: 0 });
    if (taken.inMinute >= keptPerMinute || taken.inHour >= keptPerHour) return false;
    taken.inMinute++;
    taken.inHour++;
    this.#taken.set(formId, taken);
    return true;
  }
}

function recorded(header: HeaderValue): RecordedHeader {
  if (header === repeated) return { repeated: true };
  return header ?? null;
}
