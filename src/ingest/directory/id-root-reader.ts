import type { Logger } from 'pino';
import type { DirectoryChanges } from '../../db/directory/directory.ts';
import {
  deriveIdRoot,
  firstIdRoot,
  type IdRoot,
  type Keys,
  openIdRoot,
  type SealedSecret,
} from '../../domain/secrets/id-root.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';

export interface IdRootReaderDeps {
  /** Everything that derives values from the root. */
  readonly followers: readonly { follow(root: IdRoot): void }[];
  readonly secretBox: SecretBox;
  /** The keys of the box, the current one first. */
  readonly keys: Keys;
  readonly log: Logger;
}

/**
 * Decrypts the id root, which comes with the directory from PostgreSQL or the snapshot, before the first lead needs it. A
 * root that cannot be decrypted must not stop leads: ids are then derived from the current key, as without a stored root.
 */
export class IdRootReader {
  readonly #deps: IdRootReaderDeps;
  #known: Buffer | null = null;
  #hasLooked = false;
  #isComplaining = false;

  constructor(deps: IdRootReaderDeps) {
    this.#deps = deps;
  }

  /** `snapshot` was written by an earlier version on this machine. */
  learn(
    { idRoot, secrets }: Pick<DirectoryChanges, 'secrets'> & { readonly idRoot?: Buffer | null },
    snapshot: SealedSecret | null,
  ): void {
    const { secretBox, keys } = this.#deps;
    // Missing in snapshots of older versions, and on a standby until this version has started on its primary.
    if (idRoot == null) {
      // Only the first read contains the whole directory, so later reads cannot improve on it.
      if (!this.#hasLooked)
        this.#follow(firstIdRoot(keys, sealedSecrets(secrets), snapshot) ?? deriveIdRoot(keys[0]));
      this.#hasLooked = true;
      return;
    }
    if (this.#known?.equals(idRoot)) return;
    try {
      this.#follow(openIdRoot(secretBox, idRoot));
      this.#known = idRoot;
      this.#isComplaining = false;
    } catch (error) {
      this.#complain(error as Error);
    }
  }

  #follow(root: IdRoot): void {
    for (const follower of this.#deps.followers) follower.follow(root);
  }

  #complain({ message }: Error): void {
    if (this.#isComplaining) return;
    this.#isComplaining = true;
    this.#deps.log.error(
      { why: message },
      'root of submission IDs cannot be decrypted, so retries during an outage may get new IDs: check ENCRYPTION_KEY and ENCRYPTION_KEY_PREVIOUS with leadgate doctor',
    );
  }
}

/** The webhook secrets in the directory. */
function sealedSecrets(secrets: DirectoryChanges['secrets']): SealedSecret[] {
  return secrets.flatMap(({ formId: owner, currentCiphertext, previousCiphertext }) =>
    [currentCiphertext, previousCiphertext]
      .filter((sealed) => sealed !== null)
      .map((sealed) => ({ owner, sealed })),
  );
}
