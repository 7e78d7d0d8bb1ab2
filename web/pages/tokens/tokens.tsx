import { Box, Button, Table } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Token } from '../../../src/contract/tokens.ts';
import { formsQuery, tokensQuery } from '../../api/queries.ts';
import { useAskedDialog } from '../../parts/dialogs/asked-dialog.ts';
import { Icon } from '../../parts/icons.tsx';
import { PastToggle } from '../../parts/lists/past-toggle.tsx';
import { StackedTable } from '../../parts/lists/stacked-table.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Settled } from '../../parts/settled.tsx';
import { Empty, Loaded } from '../../parts/states.tsx';
import { useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { CreateToken } from './create-token.tsx';
import { RotateToken } from './rotate-token.tsx';
import { TokenRow } from './token-row.tsx';

export { TokenPage } from './token-page.tsx';

const page = getRouteApi('/signed-in/w/$workspaceId/tokens');

export function Tokens() {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const tokens = useQuery(tokensQuery(workspaceId));
  const forms = useQuery(formsQuery(workspaceId));
  const isOwner = useIsOwner();
  const [isCreating, create] = useDisclosure();
  useAskedDialog('token', create.open);
  const [rotating, setRotating] = useState<Token | null>(null);
  const hasForms = (forms.data?.items.length ?? 0) > 0;
  // In its current state, because it may have been used since. If it is gone, the dialog stays: it may show its successor.
  const rotatingNow = tokens.data?.items.find(({ id }) => id === rotating?.id) ?? rotating;
  // The dialogs are outside the table, which is fetched again all the time: a new token must not vanish before it is
  // copied.
  const closeDialogs = () => {
    create.close();
    setRotating(null);
    void queryClient.invalidateQueries({ queryKey: tokensQuery(workspaceId).queryKey });
  };
  const button = (
    <Button leftSection={<Icon name="plus" />} onClick={create.open} disabled={!hasForms}>
      Create token
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Ingest tokens"
        text="For backends and relay tools that can keep a secret. Each token belongs to one form."
      >
        {isOwner && button}
      </PageHeader>
      <Settled>
        <Loaded query={tokens}>
          {({ items }) =>
            items.length === 0 ? (
              <NoTokens workspaceId={workspaceId} hasForms={hasForms || forms.isPending} button={button} />
            ) : (
              <TokenTable tokens={items} onRotate={setRotating} />
            )
          }
        </Loaded>
      </Settled>
      <CreateToken opened={isCreating} forms={forms.data?.items ?? []} onClose={closeDialogs} />
      <RotateToken token={rotatingNow} onClose={closeDialogs} />
    </>
  );
}

function NoTokens(props: { workspaceId: string; hasForms: boolean; button: React.ReactNode }) {
  const navigate = useNavigate();
  const { workspaceId, hasForms, button } = props;
  const text = hasForms
    ? 'Create one, put it in your backend, and send a lead with a single POST request.'
    : 'A token belongs to a form, so create a form first.';
  return (
    <Empty icon="token" title="No ingest tokens yet" text={text}>
      {hasForms ? (
        button
      ) : (
        <Button onClick={() => void navigate({ to: '/w/$workspaceId/forms', params: { workspaceId } })}>
          Go to forms
        </Button>
      )}
    </Empty>
  );
}

function TokenTable(props: { tokens: readonly Token[]; onRotate: (token: Token) => void }) {
  const { tokens, onRotate } = props;
  const { show } = page.useSearch();
  const isUsable = (token: Token) => token.status === 'active';
  const past = tokens.filter((token) => !isUsable(token)).length;
  const shown = inOrder(show === 'all' ? tokens : tokens.filter(isUsable));
  const hints = new Map(tokens.map(({ id, hint }) => [id, hint]));
  return (
    <>
      <Box className="panel">
        <StackedTable minWidth={930}>
          <Table highlightOnHover horizontalSpacing="sm">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Token</Table.Th>
                <Table.Th>Status</Table.Th>
                <Table.Th>Form</Table.Th>
                <Table.Th>Created</Table.Th>
                <Table.Th>Expires</Table.Th>
                <Table.Th>Last used</Table.Th>
                <Table.Th>Last 24 hours</Table.Th>
                <Table.Th aria-label="Actions" />
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {shown.map((token) => (
                <TokenRow key={token.id} token={token} hints={hints} onRotate={onRotate} />
              ))}
            </Table.Tbody>
          </Table>
        </StackedTable>
      </Box>
      <PastToggle count={past} noun="token" show={show} />
    </>
  );
}

/** In the given order, but with each rotated token right below its successor. */
function inOrder(tokens: readonly Token[]): Token[] {
  const byId = new Map(tokens.map((token) => [token.id, token]));
  const withFormer = (token: Token): Token[] => {
    const former = token.replaces === null ? undefined : byId.get(token.replaces);
    return former === undefined ? [token] : [token, ...withFormer(former)];
  };
  return tokens
    .filter(({ replaced_by }) => replaced_by === null || !byId.has(replaced_by))
    .flatMap(withFormer);
}
