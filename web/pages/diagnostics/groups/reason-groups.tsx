import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Diagnostics } from '../../../../src/contract/diagnostics.ts';
import { groupsQuery } from '../../../api/rejection-queries.ts';
import { countText } from '../../../parts/numbers.ts';
import { Loaded, Loading } from '../../../parts/states.tsx';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { useDiagnosticsSearch } from '../diagnostics-address.ts';
import { useLiveOptions, useStillRows } from '../live.ts';
import { useNames } from '../names.ts';
import { NothingFound } from './nothing-found.tsx';
import { ReasonGroup } from './reason-group.tsx';

/** The groups of the tab. The page waits for them, so that nothing moves while it loads. */
export function useGroups() {
  const { rejections, search } = useDiagnosticsSearch();
  const asked = { ...rejections, group_by: search.group_by ?? 'reason' } as const;
  return useQuery({ ...groupsQuery(useWorkspaceId(), asked), ...useLiveOptions() });
}

/** Rejections by reason, or by reason and sender, most frequent first. */
export function ReasonGroups({ reasons }: { reasons: Diagnostics['by_reason'] }) {
  const { search, change, tab } = useDiagnosticsSearch();
  const query = useGroups();
  return (
    <>
      <Group justify="space-between" mb="xs">
        <Title order={2} size="h5">
          {tab === 'limited' ? 'Rejected by a limit' : 'Reasons'}
        </Title>
        <SegmentedControl
          aria-label="Group by"
          size="xs"
          data={[
            { value: 'reason', label: 'By reason' },
            { value: 'sender', label: 'By reason and sender' },
          ]}
          value={search.group_by ?? 'reason'}
          onChange={(value) => change({ group_by: value === 'sender' ? value : undefined })}
        />
      </Group>
      <Loaded query={query} rows={3}>
        {(data) =>
          data.items.length === 0 ? (
            query.isPlaceholderData ? (
              <Loading rows={3} />
            ) : (
              <NothingFound />
            )
          ) : (
            <Groups query={query} data={data} heldByReason={heldOf(reasons, search.group_by)} />
          )
        }
      </Loaded>
    </>
  );
}

type GroupsData = NonNullable<ReturnType<typeof useGroups>['data']>;

interface GroupsProps {
  readonly query: { readonly isPlaceholderData: boolean };
  readonly data: GroupsData;
  readonly heldByReason: ReadonlyMap<string, number>;
}

function Groups({ query, data, heldByReason }: GroupsProps) {
  const { search } = useDiagnosticsSearch();
  const names = useNames();
  const [open, setOpen] = useState<string | null>(null);
  const { shown, handlers } = useStillRows(data, JSON.stringify(search), query.isPlaceholderData);
  return (
    <Stack gap={0} className="panel" mb="lg" style={{ overflow: 'hidden' }} {...handlers}>
      {shown.items.map((group) => {
        const name = [group.reason, group.surface, group.form_id, group.token_id].join(' ');
        return (
          <ReasonGroup
            key={name}
            group={group}
            from={shown.from}
            stepSeconds={shown.step_seconds}
            held={heldByReason.get(group.reason) ?? 0}
            names={names}
            isOpen={open === name}
            onToggle={() => setOpen(open === name ? null : name)}
          />
        );
      })}
      {shown.more > 0 && (
        <Text size="sm" c="dimmed" p="md">
          {countText(shown.more, 'smaller group')} not shown. Filter to see them.
        </Text>
      )}
    </Stack>
  );
}

/** Held ones are counted by reason alone. */
function heldOf(reasons: Diagnostics['by_reason'], groupBy: string | undefined): ReadonlyMap<string, number> {
  return new Map(groupBy === 'sender' ? [] : reasons.map(({ reason, held }) => [reason, held]));
}
