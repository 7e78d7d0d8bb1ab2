import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from '../../parts/copy.tsx';
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx';
import { Samples, sampleOf } from '../../parts/samples.tsx';
import { CreateHandOverLink } from './hand-over.tsx';

interface ShownTokenProps {
  readonly opened: boolean;
  readonly title: string;
  readonly created: { readonly id: string; readonly token: string };
  readonly children: ReactNode;
  onClose(): void;
}

/** A new token: shown once, with code that uses it. */
export function ShownToken({ opened, title, created, children, onClose }: ShownTokenProps) {
  const { id, token } = created;
  return (
    <ShownOnce
      opened={opened}
      onClose={onClose}
      title={title}
      value={token}
      name="token"
      actions={
        <>
          <CopyText value={sampleOf('token', 'curl', { LEADGATE_TOKEN: token })}>Copy as curl</CopyText>
          <CopyText value={`LEADGATE_TOKEN=${token}`}>Copy as .env line</CopyText>
        </>
      }
    >
      <Stack gap="xs">
        <CreateHandOverLink key={id} tokenId={id} token={token} />
        {children}
        <Samples surface="token" />
      </Stack>
    </ShownOnce>
  );
}
