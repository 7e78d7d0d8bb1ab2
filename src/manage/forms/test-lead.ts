import type { TestLead } from '../../contract/forms.ts';
import * as contract from '../../contract/forms.ts';
import { findForm } from '../../db/forms/forms.ts';
import { findWebhookSecret } from '../../db/forms/webhook-secrets.ts';
import type { SecretBox } from '../../domain/secrets/secret-box.ts';
import { sign } from '../../domain/signature.ts';
import { notFound, Problem, unreadableSecret } from '../calls/problem.ts';
import { route } from '../calls/route.ts';
import type { ManagementDeps } from '../deps.ts';

const timeoutMs = 10_000;

export const testLeadRoutes = [
  route(contract.sendTestLead, async ({ params }, deps) => {
    const form = await findForm(deps.pool, params.workspace_id, params.form_id);
    if (form === null) throw notFound('form');
    const sealed = await findWebhookSecret(deps.pool, params.workspace_id, params.form_id);
    if (sealed === null) throw new Problem('not_found', 'The form has no webhook secret yet. Set one first.');
    return post(deps, form.slug, opened(deps.secretBox, sealed, params.form_id));
  }),
];

function opened(box: SecretBox, sealed: Buffer, formId: string): string {
  try {
    return box.open(sealed, formId);
  } catch {
    throw unreadableSecret();
  }
}

async function post(deps: ManagementDeps, slug: string, secret: string): Promise<TestLead> {
  const startedAt = deps.clock.now();
  const body = Buffer.from(exampleAt(startedAt));
  const timestamp = String(Math.floor(startedAt / 1000));
  const late = new AbortController();
  const cancel = deps.clock.deadline(timeoutMs, () => late.abort());
  const response = await fetch(`${deps.ingestUrl()}/api/v1/ingest/${slug}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      [`${deps.headerPrefix}Timestamp`]: timestamp,
      [`${deps.headerPrefix}Signature`]: sign(secret, timestamp, body).toString('hex'),
    },
    body,
    signal: late.signal,
  }).catch(() => {
    throw new Problem(
      'unavailable',
      'The ingest URL did not respond to the test lead. Try again in a moment.',
    );
  });
  const answer = (await response.json()) as { submission_id?: string };
  cancel();
  return {
    surface: 'webhook',
    status: response.status,
    submission_id: answer.submission_id ?? null,
    request_id: response.headers.get('x-request-id'),
    took_ms: Math.max(0, Math.round(deps.clock.now() - startedAt)),
  };
}

function exampleAt(now: number): string {
  return JSON.stringify({
    name: 'Test Lead',
    email: 'test.lead@example.com',
    company: 'Leadgate',
    message: 'Sent from the Delivery settings to see that everything works.',
    test: true,
    sent_at: new Date(now).toISOString(),
  });
}
