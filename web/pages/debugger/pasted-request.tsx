import { PasswordInput, Stack, Textarea, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { SignatureDebugInput } from '../../../src/contract/signature-debug.ts';
import { headerPrefix } from '../../api/page-settings.ts';
import { ago } from '../../parts/text/relative-time.ts';
import { exactTime } from '../../parts/time.tsx';
import { readTime } from './sent-at.ts';

export const nothingPasted = { whole: '', timestamp: '', signature: '', body: '', sentAt: '', secret: '' };
export type Pasted = typeof nothingPasted;
export type PasteMode = 'whole' | 'parts';

/** Null while there is nothing to send. A whole request is either a curl command or raw HTTP. */
export function questionFrom(mode: PasteMode, pasted: Pasted): SignatureDebugInput | null {
  const { whole, timestamp, signature, body, sentAt, secret } = pasted;
  const received = readTime(sentAt);
  if ((mode === 'whole' ? whole : body).trim() === '' || (sentAt.trim() !== '' && received === null))
    return null;
  const extra = {
    ...(received === null ? {} : { received_at: new Date(received).toISOString() }),
    ...(secret === '' ? {} : { try_secret: secret }),
  };
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
  readonly mode: PasteMode;
  readonly form: UseFormReturnType<Pasted>;
}

export function PastedRequest({ mode, form: { getInputProps, values } }: PastedRequestProps) {
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
      <TextInput
        label="Sent at"
        description={sentAtText(mode, values.sentAt)}
        placeholder={mode === 'whole' ? 'Its Date header, or now' : 'Now'}
        autoComplete="off"
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        {...getInputProps('sentAt')}
        error={
          isUnreadable(values.sentAt) &&
          'This is not a time. Write it like 2026-11-15 10:00:00 or 1765432100.'
        }
      />
      <PasswordInput
        label="Sender's secret"
        description="Optional. It is tried, but not stored."
        autoComplete="off"
        {...getInputProps('secret')}
      />
    </Stack>
  );
}

const isUnreadable = (sentAt: string) => sentAt.trim() !== '' && readTime(sentAt) === null;

function sentAtText(mode: PasteMode, sentAt: string): string {
  const time = readTime(sentAt);
  if (time !== null) return `${exactTime(time)}, ${ago(time, Date.now())}`;
  return mode === 'whole'
    ? 'The timestamp is compared to this time. Leave empty to use the Date header of the request, or now.'
    : 'The timestamp is compared to this time. Leave empty to use now.';
}
