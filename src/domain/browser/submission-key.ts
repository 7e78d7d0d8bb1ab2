import { createHash, hash } from 'node:crypto';

/*
 * What makes two submissions of a web page the same. It is stored where idempotency keys are, under hashes that no key of a
 * header can have: such keys are UTF-8, which never contains this byte.
 */
const noUtf8 = Buffer.of(0xff);

/** As many bytes as are stored of the body of any key. */
const bodyHashBytes = 8;

/** One token makes one lead. With the form: who signs tokens of one form must not use up the names of another's. */
export function tokenKeyHash(formId: Buffer, jti: Buffer): Buffer {
  return createHash('sha256').update(noUtf8).update('br:').update(formId).update(jti).digest();
}

/** Without a token, a second click is told by its content and its network. `bodyHash` is the SHA-256 of the body. */
export function noScriptKeyHash(formId: Buffer, network: string, bodyHash: Buffer): Buffer {
  const digest = createHash('sha256').update(noUtf8).update('bf:').update(formId);
  return digest.update(network).update(noUtf8).update(bodyHash).digest();
}

/**
 * Tells whether a second use of a token has the body of the first. Unlike the fingerprint of other keys it must resist
 * attacks, because a second body is rejected.
 */
export function pageFingerprint(body: Buffer): Buffer {
  return fingerprintOf(hash('sha256', body, 'buffer'));
}

/** The same for a body whose SHA-256 is known. */
export function fingerprintOf(bodyHash: Buffer): Buffer {
  return bodyHash.subarray(0, bodyHashBytes);
}
