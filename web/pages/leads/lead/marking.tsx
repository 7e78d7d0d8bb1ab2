import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Lead } from '../../../../src/contract/leads/lead.ts';
import { api } from '../../../api/client.ts';
import { queryClient } from '../../../api/query-client.ts';
import { toastProblem } from '../../../parts/toast.ts';
import { showMark } from '../lead-cache.ts';

export type Mark = NonNullable<Lead['mark']>['mark'] | null;

/** Sets a mark, and shows it wherever the lead is loaded. `by` is the person who does it. */
export async function markLead(workspaceId: string, id: string, value: Mark, by: string): Promise<Lead> {
  const lead = await api('PUT', '/workspaces/:workspace_id/leads/:submission_id/mark', {
    params: { workspace_id: workspaceId, submission_id: id },
    body: { mark: value },
  });
  showMark(queryClient, workspaceId, lead, by);
  return lead;
}

const shownMs = 10_000;
let latest: { readonly toast: string; undo(): Promise<void> } | null = null;

/** Says what was marked, with a way back: a button, and a key, because the focus stays in the lead. */
export function tellMarked(text: string, undo: () => Promise<void>): void {
  if (latest !== null) notifications.hide(latest.toast);
  const toast = notifications.show({
    color: 'teal',
    autoClose: shownMs,
    onClose: () => {
      if (latest?.toast === toast) latest = null;
    },
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm">{text}</Text>
        <Button size="compact-sm" variant="default" onClick={undoMark} aria-keyshortcuts="u">
          Undo (U)
        </Button>
      </Group>
    ),
  });
  latest = { toast, undo };
}

/** Takes back the latest mark, as long as its message is shown. */
export function undoMark(): void {
  if (latest === null) return;
  const { toast, undo } = latest;
  latest = null;
  notifications.hide(toast);
  undo().catch(toastProblem);
}
