import { Alert, Button, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { AnswerOf, Calls } from '../../../src/contract/calls.ts';
import { ApiProblem, api } from '../../api/client.ts';
import { recipientLinkQuery } from '../../api/queries.ts';
import { Icon } from '../../parts/icons.tsx';
import { Loaded } from '../../parts/states.tsx';
import { EntryCard, tokenInAddress } from './entry-card.tsx';

type Preview = AnswerOf<Calls['POST'], '/recipient-links/preview'>;

/** What differs between the two links that recipients get. */
interface LinkWords {
  readonly title: string;
  readonly text: string;
  readonly button: string;
  readonly invalid: string;
  readonly done: string;
  readonly doneText: (preview: Preview) => string;
  readonly already: string;
}

/** Opens from the email that asks whether its reader wants the emails of a destination. */
export function ConfirmEmails() {
  return (
    <RecipientLink
      words={{
        title: 'Confirm your address',
        text: 'Someone wants to send new leads to you by email.',
        button: 'Confirm address',
        invalid:
          'A link works for seven days, and only the newest one is valid. Ask an owner of the workspace to send another.',
        done: 'Address confirmed',
        doneText: ({ destination }) =>
          `You get the emails of ${destination} from now on. Each has a link to unsubscribe.`,
        already: 'Already confirmed',
      }}
      isDone={({ status }) => status === 'confirmed' || status === 'member'}
      send={(token) => api('POST', '/recipient-links/confirm', { body: { token } })}
    />
  );
}

/** Opens from the end of each email. */
export function StopEmails() {
  return (
    <RecipientLink
      words={{
        title: 'Unsubscribe',
        text: 'Stop getting these emails.',
        button: 'Unsubscribe',
        invalid: 'The destination was deleted, or the link is incomplete. Open it from the newest email.',
        done: 'Unsubscribed',
        doneText: ({ destination, workspace }) =>
          `You get no more emails of ${destination}. If you change your mind, ask an owner of ${workspace} to ask you again.`,
        already: 'Already unsubscribed',
      }}
      isDone={({ status }) => status === 'unsubscribed'}
      send={(token) => api('POST', '/recipient-links/unsubscribe', { body: { token } })}
    />
  );
}

interface RecipientLinkProps {
  readonly words: LinkWords;
  /** Whether there is nothing left to do. */
  isDone(preview: Preview): boolean;
  send(token: string): Promise<unknown>;
}

/** Opening the page changes nothing, because mail programs open links to check them. Only the button does. */
function RecipientLink({ words, isDone, send }: RecipientLinkProps) {
  const token = tokenInAddress();
  // What it says is what was there when the page was opened.
  const preview = useQuery({ ...recipientLinkQuery(token), staleTime: Number.POSITIVE_INFINITY });
  const change = useMutation({ mutationFn: () => send(token) });
  if (isInvalid(preview.error) || isInvalid(change.error))
    return (
      <EntryCard title="This link is not valid" text={words.invalid}>
        {null}
      </EntryCard>
    );
  if (preview.data !== undefined && (change.isSuccess || isDone(preview.data)))
    return (
      <EntryCard title={change.isSuccess ? words.done : words.already} text={words.doneText(preview.data)}>
        <LinkFacts preview={preview.data} />
      </EntryCard>
    );
  return (
    <EntryCard title={words.title} text={words.text}>
      <Loaded query={preview} rows={2}>
        {(data) => (
          <Stack gap="md">
            {change.error && (
              <Alert color="red" role="alert" icon={<Icon name="alert" />}>
                {change.error.message}
              </Alert>
            )}
            <LinkFacts preview={data} />
            <Button loading={change.isPending} onClick={() => change.mutate()}>
              {words.button}
            </Button>
            <Text size="xs" c="dimmed" ta="center">
              Nothing changes until you press the button.
            </Text>
          </Stack>
        )}
      </Loaded>
    </EntryCard>
  );
}

/** An unknown link and one that has ended look the same. */
function isInvalid(error: Error | null): boolean {
  return error instanceof ApiProblem && (error.status === 404 || error.status === 400);
}

function LinkFacts({ preview: { address, destination, workspace } }: { preview: Preview }) {
  return (
    <dl className="facts">
      <dt>Address</dt>
      <dd className="wrap">{address}</dd>
      <dt>Destination</dt>
      <dd className="wrap" dir="auto">
        {destination}
      </dd>
      <dt>Workspace</dt>
      <dd className="wrap" dir="auto">
        {workspace}
      </dd>
    </dl>
  );
}
