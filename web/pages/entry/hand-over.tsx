import { Alert, Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import type { AnswerOf, Calls } from '../../../src/contract/calls.ts';
import { decryptToken, secretsIn } from '../../../src/contract/tokens/handover-cipher.ts';
import { ApiProblem, api } from '../../api/client.ts';
import { CopyText } from '../../parts/copy.tsx';
import { Icon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/states.tsx';
import { TimeUntil } from '../../parts/time.tsx';
import { EntryCard } from './entry-card.tsx';

type Preview = AnswerOf<Calls['POST'], '/handover-links/preview'>;

const damaged = 'Part of the link is missing or was changed. Open the whole link, as it was sent to you.';
const ended =
  'It was opened already, it has ended, or it is incomplete. Ask the person who sent it for a new one, and tell them if you did not open it yourself.';

/** Opens from a link that hands over a token. Looking at the page does not use the link up: only the button does. */
export function OpenHandOverLink() {
  // The fragment leaves the address bar when the token is shown.
  const [secrets] = useState(() => secretsIn(window.location.hash));
  const preview = useQuery({
    queryKey: ['handover', secrets?.token],
    queryFn: () => api('POST', '/handover-links/preview', { body: { token: secrets?.token ?? '' } }),
    enabled: secrets !== null,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const open = useMutation({
    mutationFn: async () => {
      const { ciphertext } = await api('POST', '/handover-links/open', {
        body: { token: secrets?.token ?? '' },
      });
      window.history.replaceState(null, '', window.location.pathname);
      return decryptToken({ ciphertext, key: secrets?.key ?? '' });
    },
  });
  if (secrets === null) return <Invalid text={damaged} />;
  if (isGone(preview.error) || isGone(open.error)) return <Invalid text={ended} />;
  if (open.error !== null && !(open.error instanceof ApiProblem)) return <Invalid text={damaged} />;
  if (open.data !== undefined && preview.data !== undefined)
    return <Shown token={open.data} preview={preview.data} />;
  return (
    <EntryCard
      title="An ingest token for you"
      text="Someone shared a token with you, for sending leads to Leadgate."
    >
      <Loaded query={preview} rows={2}>
        {(data) => (
          <Stack gap="md">
            {open.error && (
              <Alert color="red" role="alert" icon={<Icon name="alert" />}>
                {open.error.message}
              </Alert>
            )}
            <Facts preview={data} />
            <Button loading={open.isPending} disabled={!window.isSecureContext} onClick={() => open.mutate()}>
              Show token
            </Button>
            <Text size="xs" c="dimmed" ta="center">
              {window.isSecureContext
                ? 'The link works once. Press the button when you are ready to save the token.'
                : 'Open this link over HTTPS: the browser cannot decrypt the token on this page.'}
            </Text>
          </Stack>
        )}
      </Loaded>
    </EntryCard>
  );
}

function Shown({ token, preview }: { token: string; preview: Preview }) {
  // Nobody can open the link again.
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: true });
  return (
    <EntryCard title={`Token ${preview.token_name}`} text="Save it now. This link will not work again.">
      <Stack gap="md">
        <PasswordInput
          label="Token"
          value={token}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          styles={{ innerInput: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 13 } }}
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the token' }}
        />
        <div>
          <CopyText value={token}>Copy</CopyText>
        </div>
        <Facts preview={preview} />
      </Stack>
    </EntryCard>
  );
}

function Invalid({ text }: { text: string }) {
  return (
    <EntryCard title="This link is not valid" text={text}>
      {null}
    </EntryCard>
  );
}

/** An unknown link and one that has ended look the same. */
function isGone(error: Error | null): boolean {
  return error instanceof ApiProblem && (error.status === 404 || error.status === 422);
}

function Facts({ preview }: { preview: Preview }) {
  return (
    <dl className="facts">
      <dt>From</dt>
      <dd className="wrap" dir="auto">
        {preview.created_by ?? 'The operator'}
      </dd>
      <dt>Token</dt>
      <dd className="wrap" dir="auto">
        {preview.token_name} <code>{preview.hint}</code>
      </dd>
      <dt>Form</dt>
      <dd className="wrap" dir="auto">
        {preview.form}
      </dd>
      <dt>Workspace</dt>
      <dd className="wrap" dir="auto">
        {preview.workspace}
      </dd>
      <dt>Link ends</dt>
      <dd>
        <TimeUntil time={preview.expires_at} />
      </dd>
    </dl>
  );
}
