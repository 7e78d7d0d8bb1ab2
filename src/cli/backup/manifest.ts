import { hkdfSync } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CliError } from '../exit.ts';

const manifestName = 'manifest.json';
const formatVersion = 1;

const entry = { path: z.string(), mode: z.int() };

/** What a backup holds, file by file, so that a restore can check that it is complete. */
const manifestShape = z.object({
  format: z.literal(formatVersion),
  made_at: z.iso.datetime(),
  postgres_version: z.string(),
  encryption_key: z.object({
    /** The key is in the backup only with `file`; otherwise a restore needs it from elsewhere. */
    kept_in: z.enum(['file', 'environment', 'elsewhere']),
    fingerprint: z.string(),
  }),
  folders: z.array(z.object(entry)),
  files: z.array(z.object({ ...entry, bytes: z.int().min(0), sha256: z.string() })),
});

export type Manifest = z.output<typeof manifestShape>;
export type FolderEntry = Manifest['folders'][number];

export function newManifest(parts: Omit<Manifest, 'format'>): Manifest {
  return { format: formatVersion, ...parts };
}

export function manifestPath(backup: string): string {
  return join(backup, manifestName);
}

export function readManifest(backup: string): Manifest {
  let text: string;
  try {
    // Anything else, such as a pipe, might never end.
    if (!lstatSync(manifestPath(backup)).isFile()) throw new Error('no file');
    text = readFileSync(manifestPath(backup), 'utf8');
  } catch {
    throw new CliError('missing', `${backup} is not a backup: it has no ${manifestName}.`);
  }
  try {
    return manifestShape.parse(JSON.parse(text));
  } catch {
    throw new CliError('failure', `The ${manifestName} of ${backup} is damaged or from another version.`);
  }
}

/** Identifies a key without revealing anything about it. */
export function keyFingerprint(key: string): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'leadgate backup fingerprint', 16)).toString('hex');
}
