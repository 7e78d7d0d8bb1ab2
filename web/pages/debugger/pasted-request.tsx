import { PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { z } from 'zod';
import type { signatureDebugRequest } from '../../../src/contract/signature-debug.ts';
import { headerPrefix } from '../../api/page-settings.ts';

type DebugQuestion = z.input<typeof signatureDebugRequest>;

export const nothingPasted = { whole: '', timestamp: '', signature: '', body: '', secret: '' };
type Pasted = typeof nothingPasted;

/** A whole request is either a curl command or raw HTTP. */
export function questionFrom(mode: 'whole' | 'parts', pasted: Pasted): DebugQuestion {
  const { whole, timestamp, signature, body, secret } = pasted;
  const extra = secret === '' ? {} : { try_secret: secret };
  if (mode === 'whole')
    return { ...(/^\s*(?:\$\s*)?curl\s/.test(whole) ? { curl: whole } : { raw_request: whole }), ...extra };
  return {
    ...(timestamp === '' ? {} : { timestamp }),
    ...(signature === '' ? {} : { signature }),
    body,
    ...extra,
  };
}

const mono = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } };

interface PastedRequestProps {
  readonly mode: 'whole' | 'parts';
  readonly form: UseFormReturnType<Pasted>;
}

export function PastedRequest({ mode, form: { getInputProps } }: PastedRequestProps) {
  return (
    <Stack gap="sm">
      {mode === 'whole' ? (
        <Textarea
          label="curl command or HTTP request"
          description="As it was sent, with headers and body."
          autosize
          minRows={9}
          maxRows={18}
          styles={mono}
          {...getInputProps('whole')}
        />
      ) : (
        <>
          <TextInput
            label={`${headerPrefix}Timestamp`}
            placeholder="1765432100"
            styles={mono}
            {...getInputProps('timestamp')}
          />
          <TextInput
            label={`${headerPrefix}Signature`}
            placeholder="sha256=…"
            styles={mono}
            {...getInputProps('signature')}
          />
          <Textarea
            label="Body, exactly as sent"
            autosize
            minRows={5}
            maxRows={14}
            styles={mono}
            {...getInputProps('body')}
          />
        </>
      )}
      <PasswordInput
        label="Sender's secret"
        description="Optional. It is tried, but not stored."
        autoComplete="off"
        {...getInputProps('secret')}
      />
    </Stack>
  );
}
