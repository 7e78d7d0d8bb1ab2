import { isOfWorkspace, type Owner, type SecretBox } from '../secrets/secret-box.ts';
import type { RecordedHeaders } from './recorded-headers.ts';

/** Longer than any header that could be fixed; the rest is cut off. */
const headerCharactersMax = 512;

/** A header as it was sent, missing, or sent more than once. */
export type RecordedHeader = string | null | { readonly repeated: true };

/** What is kept of a rejected request: everything that is needed to check it again, and to make a lead of it. */
export interface RecordedRequest {
  readonly timestamp: RecordedHeader;
  readonly signature: RecordedHeader;
  readonly contentType: string | null;
  /** Only of proven senders, and not in earlier versions. */
  readonly headers?: RecordedHeaders;
  /** Without its query. As are the headers. */
  readonly path?: string;
  readonly bodyBytes: number;
  /** Null if it was too large to keep, in an earlier version. */
  readonly body: Buffer | null;
}

/** Encrypted as one value for its workspace, bound to its id: a line of JSON followed by the bytes of the body. */
export function sealRequest(
  box: SecretBox,
  workspaceId: string,
  id: string,
  { body, ...facts }: RecordedRequest,
): Buffer {
  const head = {
    ...facts,
    timestamp: short(facts.timestamp),
    signature: short(facts.signature),
    hasBody: body !== null,
  };
  const bytes = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body ?? Buffer.alloc(0)]);
  return box.seal(bytes, { workspaceId, name: `held ${id}` });
}

/** Throws a SealedError if it was encrypted with another key, or for another workspace or id. */
export function openRequest(
  box: SecretBox,
  workspaceId: string,
  id: string,
  sealed: Buffer,
): RecordedRequest {
  const bytes = box.openBytes(sealed, heldOwner(workspaceId, id, sealed));
  const lineEnd = bytes.indexOf('\n');
  const { hasBody, ...facts } = JSON.parse(bytes.toString('utf8', 0, lineEnd));
  return { ...facts, body: hasBody ? bytes.subarray(lineEnd + 1) : null };
}

function short(header: RecordedHeader): RecordedHeader {
  return typeof header === 'string' ? header.slice(0, headerCharactersMax) : header;
}

/** Whom it is encrypted for. Requests of version 0.1.0 have no key of their workspace. */
export function heldOwner(workspaceId: string, id: string, sealed: Buffer): Owner {
  return isOfWorkspace(sealed) ? { workspaceId, name: `held ${id}` } : `rejection ${id}`;
}
