import type { DeliveryFailure } from '../../domain/destination/delivery-failure.ts';

export interface Failure {
  readonly failure: DeliveryFailure;
  /** For the owner. Contains no address and no message of a library. */
  readonly text: string;
}

const unreachable = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'EINVAL',
  'ENETDOWN',
  'ENETUNREACH',
  'EPERM',
]);
const closed = new Set(['ECONNABORTED', 'ECONNRESET', 'EPIPE', 'ERR_STREAM_PREMATURE_CLOSE']);

const certificates: Record<string, string> = {
  CERT_HAS_EXPIRED: 'The certificate of the host has expired.',
  CERT_NOT_YET_VALID: 'The certificate of the host is not valid yet.',
  CERT_REVOKED: 'The certificate of the host was revoked.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate of the host is for another host name.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate of the host is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate of the host is signed by an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate of the host is signed by an unknown authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate of the host is signed by an unknown authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The host does not send all certificates between its own and the authority.',
};

/** What an error of a connection means. Before there is a response, other errors of a TLS connection come from TLS. */
export function failureOf(error: unknown, isSecure: boolean): Failure {
  const { code = '', message = '' } = error as NodeJS.ErrnoException;
  if (code === 'ECONNREFUSED') return { failure: 'connect', text: 'The host refused the connection.' };
  if (code === 'ETIMEDOUT')
    return { failure: 'timeout', text: 'The host did not accept a connection in time.' };
  if (unreachable.has(code)) return { failure: 'connect', text: 'The host cannot be reached.' };
  if (code === 'HPE_HEADER_OVERFLOW')
    return { failure: 'invalid_response', text: 'The headers of the response are too large.' };
  if (code.startsWith('HPE_'))
    return { failure: 'invalid_response', text: 'The response is not valid HTTP.' };
  const certificate = certificates[code];
  if (certificate !== undefined) return { failure: 'tls', text: certificate };
  const isInHandshake = message.includes('before secure TLS connection');
  if (closed.has(code) && !isInHandshake)
    return { failure: 'reset', text: 'The host closed the connection before it responded.' };
  if (isSecure) return { failure: 'tls', text: 'No secure connection to the host is possible.' };
  return { failure: 'reset', text: 'The connection to the host failed.' };
}
