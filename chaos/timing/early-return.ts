import type { Breakage } from '../world/broken-build.ts';

/** A build that does no work for unknown slugs. The measurement must detect this difference. */
export const earlyReturn: readonly Breakage[] = [
  {
    file: 'src/ingest/webhook-signature.ts',
    from: `  const [form] = identity.forms;
`,
    to: `  const [form] = identity.forms;
  if (form === undefined) return new Rejection('form_unknown');
`,
  },
];
