import { ActionIcon, Drawer, Group, Text, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState } from 'react';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { leadQuery } from '../../../api/queries.ts';
import { Icon } from '../../../parts/icons.tsx';
import { areShortcutsOn, useKeys } from '../../../parts/keys/use-keys.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useMe, useWorkspaceId } from '../../../shell/workspace.ts';
import { useOpenLead } from '../lead-address.ts';
import { openDialogs } from '../table/keys.ts';
import { LeadDetail, type LeadTab } from './lead-detail.tsx';
import { type Mark, markLead, tellMarked } from './marking.tsx';
import { useNeighbours } from './neighbours.ts';

const keptMs = 5 * 60_000;

export function LeadDrawer() {
  const workspaceId = useWorkspaceId();
  const leadId = useParams({ from: '/signed-in/w/$workspaceId/leads/$leadId' }).leadId;
  const { open, close } = useOpenLead();
  // Fetched again when leads change, not when it is opened again.
  const query = useQuery({ ...leadQuery(workspaceId, leadId), staleTime: keptMs });
  const neighbours = useNeighbours(leadId);
  const onMarked = useTriage(neighbours);
  const [tab, setTab] = useState<LeadTab>('fields');
  useKeys({
    j: { label: 'Next lead', press: () => open(neighbours.next), repeats: true, worksInDrawer: true },
    k: { label: 'Previous lead', press: () => open(neighbours.previous), repeats: true, worksInDrawer: true },
  });
  usePeekEnd(close);
  useFocusInside(leadId, query.isSuccess);
  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size={620}
      // The list does this: its row may have moved.
      returnFocus={false}
      overlayProps={{ backgroundOpacity: 0.15 }}
      title={
        <Group gap="xs">
          {/* Has the focus at first, so that Space closes what Space has opened. */}
          <Text fw={620} tabIndex={-1} data-autofocus style={{ outline: 'none' }}>
            Lead
          </Text>
          <Neighbour label="Previous lead" icon="up" id={neighbours.previous} onOpen={open} />
          <Neighbour label="Next lead" icon="down" id={neighbours.next} onOpen={open} />
        </Group>
      }
    >
      <Loaded query={query}>
        {(lead) => (
          <LeadDetail
            key={lead.submission_id}
            lead={lead}
            tab={tab}
            onTab={setTab}
            onMarked={onMarked}
            onErased={close}
          />
        )}
      </Loaded>
    </Drawer>
  );
}

/** Space opens a lead from the list, and closes it again unless it is for a button or a text. */
function usePeekEnd(close: () => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const isFree = event.target instanceof Element && event.target.matches('[role=dialog], [data-autofocus]');
    if (event.key !== ' ' || !isFree || event.repeat || openDialogs() !== 1 || !areShortcutsOn()) return;
    event.preventDefault();
    close();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
}

/** After a verdict the next lead is shown, with a way back. */
function useTriage({ next, isInList }: ReturnType<typeof useNeighbours>) {
  const workspaceId = useWorkspaceId();
  const by = useMe()?.user.email ?? '';
  const { open, isOpen } = useOpenLead();
  return ({ submission_id: id, mark }: Lead, value: NonNullable<Mark>) => {
    const text = value === 'spam' ? 'Marked as spam.' : 'Marked as not spam.';
    open(next);
    tellMarked(
      next === undefined && isInList ? `${text} This is the last lead in the list.` : text,
      async () => {
        await markLead(workspaceId, id, mark?.mark ?? null, by);
        if (isOpen()) open(id);
      },
    );
  };
}

/** The button that had the focus is gone with its lead. */
function useFocusInside(leadId: string, isShown: boolean): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another lead is shown.
  useEffect(() => {
    if (isShown && document.activeElement === document.body)
      document.querySelector<HTMLElement>('[role=dialog][aria-modal=true]')?.focus();
  }, [leadId, isShown]);
}

interface NeighbourProps {
  readonly label: string;
  readonly icon: 'up' | 'down';
  readonly id: string | undefined;
  onOpen(id: string | undefined): void;
}

function Neighbour({ label, icon, id, onOpen }: NeighbourProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        disabled={id === undefined}
        onClick={() => onOpen(id)}
        aria-label={label}
      >
        <Icon name={icon} size={15} />
      </ActionIcon>
    </Tooltip>
  );
}
