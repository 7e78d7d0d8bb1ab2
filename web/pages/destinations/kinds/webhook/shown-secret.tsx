import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from '../../../../parts/copy.tsx';
import { ShownOnce } from '../../../../parts/dialogs/shown-once.tsx';

interface ShownSecretProps {
  readonly opened: boolean;
  readonly secret: string;
  /** Of the destination. */
  readonly name: string;
  readonly children?: ReactNode;
  onClose(): void;
}

/** A new signing secret: shown once, with how to use it. */
export function ShownSecret({ opened, secret, name, children, onClose }: ShownSecretProps) {
  return (
    <ShownOnce
      opened={opened}
      onClose={onClose}
      title={`Signing secret of ${name}`}
      value={secret}
      name="signing secret"
      actions={<CopyText value={`WEBHOOK_SECRET=${secret}`}>Copy as .env line</CopyText>}
    >
      {children} The receiver uses it to check that a request comes from Leadgate: the header{' '}
      <code>webhook-signature</code> is the HMAC-SHA256 of <code>id.timestamp.body</code>, as Standard
      Webhooks describes.{' '}
      <Anchor href="/docs/webhook-verification" target="_blank" size="sm">
        How to verify a request
      </Anchor>
    </ShownOnce>
  );
}
