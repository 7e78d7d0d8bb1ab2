import { hash, timingSafeEqual } from 'node:crypto';

const bearer = /^Bearer +(\S+) *$/i;

export type OperatorKeyVerdict = 'right' | 'wrong' | 'missing';

/** Judges an Authorization header. Hashes have one length, so the comparison takes the same time whatever was sent. */
export function operatorKeyCheck(
  operatorKey: string,
): (authorization: string | undefined) => OperatorKeyVerdict {
  const expected = hash('sha256', operatorKey, 'buffer');
  return (authorization) => {
    const key = bearer.exec(authorization ?? '')?.[1];
    if (key === undefined) return 'missing';
    return timingSafeEqual(hash('sha256', key, 'buffer'), expected) ? 'right' : 'wrong';
  };
}
