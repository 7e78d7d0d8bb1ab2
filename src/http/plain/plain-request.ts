import type { Socket } from 'node:net';
import { bodyBytesMax } from '../../domain/lead/lead.ts';
import { type Destination, destinationOf } from '../paths.ts';

type PlainDestination = Extract<Destination, { kind: 'server' | 'webhook' }>;

/** A lead that came in one packet. Has what the ingest path reads of a request. */
export interface PlainRequest {
  readonly method: 'POST';
  readonly url: string;
  /** Names and values in turns, as Node lists them. */
  readonly rawHeaders: string[];
  readonly body: Buffer;
  readonly destination: PlainDestination;
  readonly socket: Socket;
}

const headBytesMax = 4096;
/**
 * The subset of HTTP that is read here, nothing of which can be understood in two ways: each line ends with CR LF, names
 * have letters, digits, "-" and "_", values are printable ASCII, and no line is continued in the next.
 */
const headShape =
  /^POST (\/api\/v1\/ingest(?:\/[\w-]{1,100})?) HTTP\/1\.1\r\n(?:[\w-]{1,100}:[ -~]*\r\n){1,50}\r\n/;
const lengthShape = /^\d{1,6}$/;
/** These change where a request ends or what becomes of its connection. */
const framingNames = new Set(['proxy-connection', 'transfer-encoding', 'upgrade', 'expect', 'trailer', 'te']);

/** Null for anything but one whole request of this subset. Node's parser reads that. */
export function readPlainRequest(packet: Buffer, socket: Socket): PlainRequest | null {
  const head = packet.toString('latin1', 0, headBytesMax);
  const match = headShape.exec(head);
  if (match === null) return null;
  const bodyStart = match[0].length;
  const url = match[1] as string;
  const rawHeaders: string[] = [];
  let length = -1;
  for (let at = head.indexOf('\n') + 1; at < bodyStart - 2; ) {
    const colon = head.indexOf(':', at);
    const end = head.indexOf('\r', colon);
    const name = head.slice(at, colon);
    const value = head.slice(colon + 1, end).trim();
    rawHeaders.push(name, value);
    at = end + 2;
    const lowerName = name.toLowerCase();
    if (lowerName === 'content-length') {
      if (length !== -1 || !lengthShape.test(value)) return null;
      length = Number(value);
    } else if (lowerName === 'connection') {
      if (value.toLowerCase() !== 'keep-alive') return null;
    } else if (framingNames.has(lowerName)) return null;
  }
  if (length === -1 || length > bodyBytesMax || bodyStart + length !== packet.length) return null;
  const destination = destinationOf(url) as PlainDestination;
  return { method: 'POST', url, rawHeaders, body: packet.subarray(bodyStart), destination, socket };
}
