import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { CopyText } from '../../parts/copy.tsx';
import { ShownOnce } from '../../parts/dialogs/shown-once.tsx';
import { Samples, sampleOf } from '../../parts/samples.tsx';

interface ShownTokenProps {
  readonly opened: boolean;
  readonly title: string;
  readonly token: string;
  readonly children: ReactNode;
  onClose(): void;
}

/** A new token: shown once, with code that uses it. */
export function ShownToken({ opened, title, token, children, onClose }: ShownTokenProps) {
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
        {children}
        <Samples surface="token" />
      </Stack>
    </ShownOnce>
  );
}
