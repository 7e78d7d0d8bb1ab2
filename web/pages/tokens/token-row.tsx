import { Button, Group, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Diagnostics } from '../../../src/contract/diagnostics.ts';
import type { Token } from '../../../src/contract/tokens.ts';
import { diagnosticsQuery } from '../../api/queries.ts';
import type { IconName } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { Tag, type Tone } from '../../parts/tag.tsx';
import { TimeAgo, TimeUntil } from '../../parts/time.tsx';
import { useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import { OutcomeBar } from './outcome-bar.tsx';
import { RevokeToken } from './revoke-token.tsx';

const dayMs = 86_400_000;

interface TokenRowProps {
  readonly token: Token;
  readonly formName: string;
  /** The hints of tokens that this one replaces or is replaced by. */
  readonly hints: ReadonlyMap<string, string>;
  onRotate(token: Token): void;
}

export function TokenRow({ token, formName, hints, onRotate }: TokenRowProps) {
  const workspaceId = useWorkspaceId();
  const isOwner = useIsOwner();
  const traffic = useQuery(diagnosticsQuery(workspaceId, { token_id: token.id, limit: 1 }));
  return (
    <Table.Tr>
      <Table.Td maw={260}>
        <Text size="sm" fw={580} className="wrap">
          {token.name}
        </Text>
        <Text size="xs" c="dimmed" ff="monospace">
          {token.hint}
        </Text>
        <Replacement token={token} hints={hints} />
      </Table.Td>
      <Table.Td maw={200}>
        <TextLink
          to="/w/$workspaceId/forms/$formId"
          params={{ workspaceId, formId: token.form_id }}
          size="sm"
          c="inherit"
          className="wrap"
        >
          {formName}
        </TextLink>
      </Table.Td>
      <Table.Td>
        <Status token={token} totals={traffic.data?.totals} />
      </Table.Td>
      <Table.Td data-label="Last used">
        {token.last_used_at === null ? (
          <Text size="sm" c="dimmed">
            Never
          </Text>
        ) : (
          <TimeAgo time={token.last_used_at} />
        )}
      </Table.Td>
      <Table.Td miw={140} data-label="Last 24 hours">
        {traffic.data && (
          <Link
            to="/w/$workspaceId/tokens/diagnostics"
            params={{ workspaceId }}
            search={{ token_id: token.id, range: '24h', accepted: '1' }}
            className="quiet-link"
          >
            <OutcomeBar totals={traffic.data.totals} reasons={traffic.data.by_reason} />
          </Link>
        )}
      </Table.Td>
      <Table.Td>
        {isOwner && token.status === 'active' && (
          <Group gap={4} justify="flex-end" wrap="nowrap">
            {token.replaced_by === null && (
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
        )}
      </Table.Td>
    </Table.Tr>
  );
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

/** One status per row, the most urgent that applies; never by colour alone. */
function statusOf(token: Token, totals: Diagnostics['totals'] | undefined): [string, Tone, IconName] {
  if (token.status === 'revoked') return [token.replaced_by ? 'Replaced' : 'Revoked', 'quiet', 'ban'];
  if (token.status === 'expired') return [token.replaced_by ? 'Replaced' : 'Expired', 'quiet', 'clock'];
  if (token.replaced_by !== null) return ['Old, still valid', 'warning', 'clock'];
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
