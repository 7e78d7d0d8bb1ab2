import type { FormRow, TokenRow } from '../../src/db/directory/directory.ts';
import { deriveIdRoot, sealIdRoot } from '../../src/domain/secrets/id-root.ts';
import { hashToken, mintToken } from '../../src/domain/token.ts';
import type { DatabaseServer } from '../database/database-server.ts';
import { encryptionKey, secretBox } from '../instance/instance.ts';

/** A workspace with a form that both surfaces can reach, and all tokens it will ever have. */
export interface Workspace {
  readonly id: string;
  readonly formId: string;
  readonly slug: string;
  readonly secret: string;
  readonly tokens: Readonly<Record<'good' | 'late' | 'early' | 'bad', string>>;
}

export const sealedIdRoot = sealIdRoot(secretBox, deriveIdRoot(encryptionKey));

/** The same in every simulation, because ids are derived from them. */
export const workspaces: readonly Workspace[] = [0, 1, 2].map((number) => ({
  id: `00000000-0000-4000-8000-00000000000${number}`,
  formId: `00000000-0000-4000-9000-00000000000${number}`,
  slug: `form-${number}`,
  secret: `whsec_of_workspace_${number}`,
  tokens: {
    good: mintToken('server'),
    late: mintToken('server'),
    early: mintToken('server'),
    bad: mintToken('server'),
  },
}));

const sealedSecrets = workspaces.map(({ secret, formId }) => secretBox.seal(secret, formId));

export function settle({ directory }: DatabaseServer, count: number): void {
  for (const [number, workspace] of workspaces.slice(0, count).entries()) {
    directory.setWorkspace({ id: workspace.id, status: 'active', heldDays: 14 });
    directory.setForm(formRow(workspace));
    directory.setSecret({
      formId: workspace.formId,
      currentCiphertext: sealedSecrets[number] as Buffer,
      previousCiphertext: null,
      previousValidUntil: null,
    });
    for (const kind of ['good', 'late'] as const) directory.setToken(tokenRow(workspace, kind, null));
  }
}

/** Revokes one token and creates another in the same change. */
export function changeTokens(server: DatabaseServer, workspace: Workspace, now: number): void {
  server.directory.setToken(tokenRow(workspace, 'late', now));
  server.directory.setToken(tokenRow(workspace, 'early', null));
  server.notify();
}

/** Turns its form on or off. */
export function changeForm(server: DatabaseServer, workspace: Workspace, isActive: boolean): void {
  server.directory.setForm(formRow(workspace, isActive));
  server.notify();
}

function tokenRow(
  { id, formId, tokens }: Workspace,
  kind: 'good' | 'late' | 'early',
  revokedAt: number | null,
): TokenRow {
  return {
    id: formId.replace('-9000-', { good: '-a000-', late: '-a001-', early: '-a002-' }[kind]),
    workspaceId: id,
    formId,
    type: 'server',
    hash: hashToken(tokens[kind]),
    expiresAt: null,
    revokedAt: revokedAt === null ? null : new Date(revokedAt),
    replacedBy: null,
  };
}

function formRow({ id, formId, slug }: Workspace, active = true): FormRow {
  return {
    id: formId,
    workspaceId: id,
    slug,
    active,
    fields: [],
    replayProtection: 'unkeyed',
    scoring: null,
    scoringVersion: 0,
    keepsRejected: true,
    deletedAt: null,
  };
}
