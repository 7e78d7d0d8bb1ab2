import type pg from 'pg';
import type { Config } from '../../config.ts';
import { sampleWebhookSecrets } from '../../db/forms/webhook-secrets.ts';
import { findIdRoot } from '../../db/keys/id-root.ts';
import { openIdRoot } from '../../domain/secrets/id-root.ts';
import { SecretBox } from '../../domain/secrets/secret-box.ts';
import { census } from '../rekey/reseal.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

const secretsTried = 100;
const check = 'encryption key';
const fix =
  'Set ENCRYPTION_KEY (or ENCRYPTION_KEY_PREVIOUS during a rotation) to the key that encrypted the secrets, or restore DATA_DIR/encryption.key from a backup. If the key is lost, set new secrets: leadgate secret rotate.';

/** Whether the keys decrypt what is stored, and whether a rotation is finished. */
export async function checkEncryption(pool: pg.Pool, config: Config): Promise<Finding[]> {
  const { encryptionKey, previousEncryptionKeys } = config;
  const secrets = await sampleWebhookSecrets(pool, secretsTried);
  if (encryptionKey === '')
    return secrets.length === 0
      ? [ok(check, 'Not created yet; the first start creates it.')]
      : [fault(check, 'It is missing, but there are secrets that need it.', fix)];
  const box = new SecretBox(encryptionKey, previousEncryptionKeys);
  const closed = secrets.filter(({ owner, sealed }) => box.placeOf(sealed, owner) === null).length;
  const secretsFinding =
    closed > 0
      ? fault(check, `It cannot decrypt ${closed} of ${secrets.length} webhook secrets.`, fix)
      : ok(
          check,
          secrets.length === 0 ? 'It exists.' : `It decrypts all webhook secrets (${secrets.length}).`,
        );
  return [secretsFinding, ...(await checkIdRoot(pool, box)), ...(await checkRotation(pool, box))];
}

async function checkIdRoot(pool: pg.Pool, box: SecretBox): Promise<Finding[]> {
  const sealed = await findIdRoot(pool);
  if (sealed === null) return [];
  try {
    openIdRoot(box, sealed);
    return [];
  } catch (error) {
    const text = `The root of submission IDs cannot be decrypted, so retries during an outage may get new IDs. ${(error as Error).message}`;
    const rootFix =
      'Restore that key as ENCRYPTION_KEY_PREVIOUS. If it is lost, run leadgate rekey --replace-root.';
    return [fault('id root', text, rootFix)];
  }
}

async function checkRotation(pool: pg.Pool, { keyId, previousKeyIds }: SecretBox): Promise<Finding[]> {
  const lines = await census(pool);
  const count = (isCounted: (id: string | null) => boolean) =>
    lines.reduce((sum, line) => sum + (isCounted(line.keyId) ? line.count : 0), 0);
  const known = new Set([keyId, ...previousKeyIds]);
  const lost = count((id) => id !== null && !known.has(id));
  const findings: Finding[] = [];
  if (lost > 0)
    findings.push(fault('sealed values', `${lost} values are encrypted with a missing key.`, fix));
  if (previousKeyIds.length === 0) return findings;
  const earlier = count((id) => id !== keyId) - lost;
  findings.push(
    earlier > 0
      ? warning('rotation', `${earlier} values are still encrypted with an earlier key.`, 'leadgate rekey')
      : warning(
          'rotation',
          'Nothing in the database needs the previous key.',
          'Run leadgate rekey --check, then remove ENCRYPTION_KEY_PREVIOUS from every instance. leadgate rekey retires a key in DATA_DIR.',
        ),
  );
  return findings;
}
