import type { FormRecord } from '../../db/forms/forms.ts';
import { listWebhookSecrets, type StoredSecrets } from '../../db/forms/webhook-secrets.ts';
import { headerValue } from '../../domain/signature-debug/request.ts';
import type { KnownSecret } from '../../domain/signature-debug/variants/secret-variants.ts';
import { tokenPrefixes } from '../../domain/token.ts';
import { unreadableSecret } from '../calls/problem.ts';
import type { ManagementDeps } from '../deps.ts';
import type { DebugSubject } from './subject.ts';

/** Every secret of this workspace that the sender may have used; valid ones come first. */
export async function debugSecrets(
  { pool, secretBox }: ManagementDeps,
  { id, workspaceId, slug }: FormRecord,
  { request, at }: DebugSubject,
  trySecret: string | undefined,
): Promise<KnownSecret[]> {
  const open = (sealed: Buffer | null, formId: string): string | null => {
    if (sealed === null) return null;
    try {
      return secretBox.open(sealed, formId);
    } catch {
      // Encrypted with a missing key: no signature can match, and the directory has already logged it.
      return null;
    }
  };
  const rows = await listWebhookSecrets(pool, workspaceId, id);
  const stored = rows.flatMap((row) => {
    const current = open(row.current, row.formId);
    // Any verdict would be wrong: without the secret, the service cannot check signatures of this form.
    if (row.formId === id && row.current !== null && current === null) throw unreadableSecret();
    if (row.formId !== id) return secret('other_form', current, row.formName);
    return [...secret('current', current), ...secret(previousKind(row, at), open(row.previous, id))];
  });
  const identifiers: KnownSecret[] = [
    { kind: 'identifier', value: slug, name: 'the slug of the form' },
    { kind: 'identifier', value: id, name: 'the ID of the form' },
    { kind: 'identifier', value: workspaceId, name: 'the ID of the workspace' },
  ];
  const given = [trySecret ?? null, bearerToken(request.whole?.headers ?? [])];
  return [...stored, ...given.flatMap((value) => secret('given', value)), ...identifiers];
}

function secret(kind: KnownSecret['kind'], value: string | null, name = ''): KnownSecret[] {
  return value === null ? [] : [{ kind, value, name }];
}

function previousKind({ previousValidUntil }: StoredSecrets, at: number): 'previous' | 'ended' {
  return previousValidUntil !== null && at < previousValidUntil.getTime() ? 'previous' : 'ended';
}

/** A request with a token may have been signed with it. */
function bearerToken(headers: Parameters<typeof headerValue>[0]): string | null {
  const token = /^Bearer +(\S+)$/i.exec(headerValue(headers, 'Authorization') ?? '')?.[1] ?? '';
  return Object.values(tokenPrefixes).some((prefix) => token.startsWith(prefix)) ? token : null;
}
