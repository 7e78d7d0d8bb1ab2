import { Anchor, Button, Group, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import type { Token } from '../../../src/contract/token.ts';
import { tokens } from '../../api/calls.ts';
import { diagnosticsQuery, tokensQuery } from '../../api/queries.ts';
import { Confirm } from '../../parts/confirm.tsx';
import type { IconName } from '../../parts/icons.tsx';
import { numberText } from '../../parts/numbers.ts';
import { pageLink } from '../../parts/page-link.ts';
import { Tag, type Tone } from '../../parts/tag.tsx';
import { ago, TimeAgo } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';
import { OutcomeBar } from './outcome-bar.tsx';

const dayMs = 86_400_000;

export function TokenRow({ token, formName }: { token: Token; formName: string }) {
  const workspaceId = useWorkspaceId();
  const traffic = useQuery(diagnosticsQuery(workspaceId, { token_id: token.id, limit: 1 }));
  return (
    <Table.Tr>
      <Table.Td maw={240}>
        <Text size="sm" fw={580} className="wrap">
          {token.name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {token.hint}
        </Text>
      </Table.Td>
      <Table.Td maw={200}>
        <Anchor
          component={Link}
          to={`/w/${workspaceId}/forms/${token.form_id}`}
          size="sm"
          c="inherit"
          className="wrap"
        >
          {formName}
        </Anchor>
      </Table.Td>
      <Table.Td>
        <Status token={token} totals={traffic.data?.totals} />
      </Table.Td>
      <Table.Td>
        {token.last_used_at === null ? (
          <Text size="sm" c="dimmed">
            Never
          </Text>
        ) : (
          <TimeAgo time={token.last_used_at} />
        )}
      </Table.Td>
      <Table.Td miw={140}>
        {traffic.data && (
          <Link
            {...pageLink(`/w/${workspaceId}/tokens/diagnostics`, { token_id: token.id })}
            className="quiet-link"
          >
            <OutcomeBar totals={traffic.data.totals} reasons={traffic.data.by_reason} />
          </Link>
        )}
      </Table.Td>
      <Table.Td ta="right">{token.status === 'active' && <Revoke token={token} />}</Table.Td>
    </Table.Tr>
  );
}

/** One word per row, the most urgent that is true; never by colour alone. */
function statusOf(token: Token, totals: Diagnostics['totals'] | undefined): [string, Tone, IconName] {
  if (token.status === 'revoked') return ['Revoked', 'quiet', 'ban'];
  if (token.status === 'expired') return ['Expired', 'quiet', 'clock'];
  if (token.expires_at && Date.parse(token.expires_at) - Date.now() < dayMs)
    return ['Expires soon', 'warning', 'clock'];
  if (totals && totals.rate_limited > 0) return ['Rate limited', 'warning', 'gauge'];
  if (totals && totals.other > totals.accepted) return ['Rejected often', 'bad', 'alert'];
  if (token.last_used_at === null) return ['Not used yet', 'quiet', 'clock'];
  if (Date.now() - Date.parse(token.last_used_at) > 30 * dayMs) return ['Idle', 'quiet', 'clock'];
  return ['Healthy', 'good', 'check'];
}

function Status({ token, totals }: { token: Token; totals: Diagnostics['totals'] | undefined }) {
  const [word, tone, icon] = statusOf(token, totals);
  return (
    <Tag tone={tone} icon={icon}>
      {word}
    </Tag>
  );
}

function Revoke({ token }: { token: Token }) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const traffic = useQuery({
    ...diagnosticsQuery(workspaceId, { token_id: token.id, limit: 1 }),
    enabled: isAsking,
  });
  const revoke = useMutation({
    mutationFn: () => tokens.revoke(workspaceId, token.id),
    onSuccess: () => {
      ask.close();
      return queryClient.invalidateQueries({ queryKey: tokensQuery(workspaceId).queryKey });
    },
  });
  const wasUsedToday = token.last_used_at !== null && Date.now() - Date.parse(token.last_used_at) < dayMs;
  const accepted = traffic.data?.totals.accepted ?? 0;
  return (
    <Group justify="flex-end">
      <Button
        size="compact-sm"
        variant="subtle"
        color="red"
        onClick={ask.open}
        aria-label={`Revoke ${token.name}`}
      >
        Revoke
      </Button>
      <Confirm
        opened={isAsking}
        title={`Revoke ${token.name}?`}
        action="Revoke token"
        {...(wasUsedToday ? { typed: token.name } : {})}
        pending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoke.mutate()}
        onClose={ask.close}
      >
        {token.last_used_at === null
          ? 'It has never been used. '
          : `It was last used ${ago(token.last_used_at, Date.now())} and brought ${numberText(accepted)} leads in the last 24 hours. `}
        Requests with it are rejected at once, with the reason <i>token_revoked</i>. This cannot be undone;
        the leads it brought stay.
      </Confirm>
    </Group>
  );
}
