import { inject } from 'vitest';
import { leadsOf } from '../support/diagnostics.ts';
import { createSender, type Sender } from '../support/sender.ts';
import { startTestService, type TestService, type TestServiceOptions } from '../support/service.ts';
import { type PageServer, startPageServer } from './page-server.ts';

/** The service, someone's website, and a form that accepts leads from it. */
export interface SdkWorld {
  readonly service: TestService;
  readonly pages: PageServer;
  readonly sender: Sender;
  /** The public key of the form. */
  readonly key: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test expects other fields.
  leads(): Promise<any[]>;
  stop(): Promise<void>;
}

export async function startSdkWorld(
  settings: Record<string, unknown> = {},
  options: TestServiceOptions = {},
): Promise<SdkWorld> {
  const service = await startTestService({ ...options, sdk: inject('sdk') });
  const pages = await startPageServer();
  const sender = await createSender(service);
  const path = `/workspaces/${sender.workspaceId}/forms/${sender.formId}/browser`;
  const { status, json, text } = await service.api('PUT', path, {
    enabled: true,
    origins: [pages.origin],
    ...settings,
  });
  if (status !== 200) throw new Error(`PUT ${path} answered ${status}: ${text}`);
  return {
    service,
    pages,
    sender,
    key: json.public_key,
    leads: () => leadsOf(service, sender),
    async stop() {
      pages.stop();
      await service.stop();
    },
  };
}
