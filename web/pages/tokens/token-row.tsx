import { Box, Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Token } from '../../../src/contract/tokens.ts';
import { formsQuery } from '../../api/queries.ts';
import { TextLink } from '../../parts/links.tsx';
import { TimeAgo, TimeUntil } from '../../parts/time.tsx';
import { useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { creatorName } from './creator.ts';
import { Advice, HealthTag } from './health.tsx';
import { OpenLinks } from './open-links.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { TrafficSpark } from './traffic-spark.tsx';

/** After this time, the advice is to revoke a token. */
const unusedMs = 30 * 86_400_000;

interface TokenRowProps {
  readonly token: Token;
  /** The hints of tokens that this one replaces or is replaced by. */
  readonly hints: ReadonlyMap<string, string>;
  onRotate(token: Token): void;
}

export function TokenRow({ token, hints, onRotate }: TokenRowProps) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const page = { to: '/w/$workspaceId/tokens/$tokenId', params: { workspaceId, tokenId: token.id } } as const;
  return (
    <Table.Tr
      className="row-link"
      onClick={({ target, currentTarget }) => {
        // Links and buttons in the row do something else, and so does a dialog, which is elsewhere in the document.
        const isInRow = target instanceof Element && currentTarget.contains(target);
        if (isInRow && target.closest('a, button') === null) void navigate(page);
      }}
    >
      <Table.Td maw={200} data-grows>
        <TextLink {...page} size="sm" fw={580} className="wrap" dir="auto">
          {token.name}
        </TextLink>
        <Text size="xs" c="dimmed" ff="monospace">
          {token.hint}
        </Text>
        <Replacement token={token} hints={hints} />
        <OpenLinks token={token} />
      </Table.Td>
      <Table.Td maw={210}>
        <HealthTag token={token} />
        <Advice token={token} />
      </Table.Td>
      <Table.Td miw={90} maw={130} data-label="Form">
        <TokenForm token={token} c="inherit" />
      </Table.Td>
      <Table.Td maw={120} data-label="Created">
        <div>
          <TimeAgo time={token.created_at} />
          <Text size="xs" c="dimmed" className="wrap" dir="auto">
            {creatorName(token.created_by)}
          </Text>
        </div>
      </Table.Td>
      <Table.Td data-label="Expires">
        <Expiry token={token} />
      </Table.Td>
      <Table.Td data-label="Last used">
        <LastUse token={token} />
      </Table.Td>
      <Table.Td data-label="Last 24 hours">
        <TrafficSpark token={token} />
      </Table.Td>
      <Table.Td>
        <TokenActions token={token} onRotate={onRotate} />
      </Table.Td>
    </Table.Tr>
  );
}

/** Undefined while it is not known, null if it was deleted. */
function useFormOf({ form_id }: Token) {
  const forms = useQuery(formsQuery(useWorkspaceId())).data?.items;
  return forms && (forms.find(({ id }) => id === form_id) ?? null);
}

export function TokenForm({ token, c }: { token: Token; c?: 'inherit' }) {
  const workspaceId = useWorkspaceId();
  const form = useFormOf(token);
  if (form === null) return 'Deleted form';
  return (
    <TextLink
      to="/w/$workspaceId/forms/$formId"
      params={{ workspaceId, formId: token.form_id }}
      size="sm"
      className="wrap"
      {...(c && { c })}
    >
      {form?.name ?? '…'}
    </TextLink>
  );
}

/** Rotated tokens, and those of a deleted form, can only be ended, and what has ended cannot be changed. */
export function TokenActions({ token, onRotate }: Pick<TokenRowProps, 'token' | 'onRotate'>) {
  const form = useFormOf(token);
  if (!useIsOwner() || token.status !== 'active') return null;
  return (
    <Group gap={4} justify="flex-end">
      {token.replaced_by === null && form !== null && (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={() => onRotate(token)}
          aria-label={`Rotate ${token.name}`}
        >
          Rotate
        </Button>
      )}
      <RevokeToken token={token} />
    </Group>
  );
}

export function LastUse({ token: { last_used_at } }: { token: Token }) {
  if (last_used_at !== null) {
    const isLongAgo = Date.now() - Date.parse(last_used_at) > unusedMs;
    return (
      <Box component="span" {...(isLongAgo ? { c: 'var(--limited-text)' } : {})}>
        <TimeAgo time={last_used_at} />
      </Box>
    );
  }
  return (
    <Text size="sm" c="dimmed">
      Never used
    </Text>
  );
}

export function Expiry({ token: { expires_at, status } }: { token: Token }) {
  if (expires_at === null)
    return (
      <Text size="sm" c="dimmed">
        Never
      </Text>
    );
  return status === 'expired' ? <TimeAgo time={expires_at} /> : <TimeUntil time={expires_at} />;
}

/** What this token replaces or is replaced by, and how long the old one still works. */
function Replacement({ token, hints }: { token: Token; hints: ReadonlyMap<string, string> }) {
  const { replaced_by, replaces, status, expires_at } = token;
  if (replaced_by !== null)
    return (
      <Text size="xs" mt={2} component="div">
        Replaced by <code>{hints.get(replaced_by) ?? 'another token'}</code>
        {status === 'active' && expires_at !== null && (
          <>
            , expires <TimeUntil time={expires_at} size="xs" />
          </>
        )}
      </Text>
    );
  if (replaces === null) return null;
  return (
    <Text size="xs" mt={2} c="dimmed">
      Replaces <code>{hints.get(replaces) ?? 'an older token'}</code>
    </Text>
  );
}
