import { openRequest, type RecordedRequest } from '../../domain/held/held-request.ts';
import { SealedError, type SecretBox } from '../../domain/secrets/secret-box.ts';

interface SealedHeld {
  readonly workspaceId: string;
  readonly id: string;
  /** Null once it was admitted or discarded. */
  readonly sealed: Buffer | null;
}

/** Null once it was decided. `unreadable` if it was encrypted with a key that the service does not have. */
export function openHeld(
  box: SecretBox,
  { workspaceId, id, sealed }: SealedHeld,
): RecordedRequest | 'unreadable' | null {
  if (sealed === null) return null;
  try {
    return openRequest(box, workspaceId, id, sealed);
  } catch (error) {
    if (error instanceof SealedError) return 'unreadable';
    throw error;
  }
}
