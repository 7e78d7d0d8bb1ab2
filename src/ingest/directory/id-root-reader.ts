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
  /** All that makes or recognises something by the root. */
  readonly followers: readonly { follow(root: IdRoot): void }[];
  readonly secretBox: SecretBox;
  /** Those of the box, the current one first. */
  readonly keys: Keys;
  readonly log: Logger;
}

/**
 * Opens the root of ids as it comes with the directory, from PostgreSQL or from the snapshot, so that it is there before the
 * first lead that needs it. A root that does not open must not keep leads away: ids then follow from the current key, as
 * they would without a stored root.
 */
export class IdRootReader {
  readonly #deps: IdRootReaderDeps;
  #known: Buffer | null = null;
  #hasLooked = false;
  #isComplaining = false;

  constructor(deps: IdRootReaderDeps) {
    this.#deps = deps;
  }

  /** `snapshot` is what an earlier version left on this machine. */
  learn(
    { idRoot, secrets }: Pick<DirectoryChanges, 'secrets'> & { readonly idRoot?: Buffer | null },
    snapshot: SealedSecret | null,
  ): void {
    const { secretBox, keys } = this.#deps;
    // A snapshot of an older version has none, nor has a standby whose primary this version has not started on.
    if (idRoot == null) {
      // Later changes of the directory tell no more than the first look at all of it.
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
      'the root of submission ids does not decrypt, so repeats during an outage may get new ids: is ENCRYPTION_KEY or ENCRYPTION_KEY_PREVIOUS the key it was sealed with? See leadgate doctor',
    );
  }
}

/** The secrets of webhooks among the rows of the directory. */
function sealedSecrets(secrets: DirectoryChanges['secrets']): SealedSecret[] {
  return secrets.flatMap(({ formId: owner, currentCiphertext, previousCiphertext }) =>
    [currentCiphertext, previousCiphertext]
      .filter((sealed) => sealed !== null)
      .map((sealed) => ({ owner, sealed })),
  );
}
