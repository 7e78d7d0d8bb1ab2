import { callApi, seedWorkspace } from '../../bench/seed.ts';
import type { Sender } from '../load/order.ts';

/** A workspace with a form that accepts leads on both surfaces. */
export async function createSender(port: number, name: string): Promise<Sender> {
  const seeded = await seedWorkspace(port, name);
  const path = `/workspaces/${seeded.workspaceId}/forms/${seeded.formId}/webhook-secret`;
  const { secret } = await callApi(port, 'PUT', path, {});
  return { ...seeded, secret: secret as string };
}
