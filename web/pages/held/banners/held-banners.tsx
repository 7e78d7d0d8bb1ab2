import { Alert, Button, CloseButton, Group, Stack, Text } from '@mantine/core';
import { useDisclosure, useSessionStorage } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { HeldSummary } from '../../../../src/contract/held/held.ts';
import { heldSummaryQuery } from '../../../api/held-queries.ts';
import { limitsOf, type RangeValues } from '../../../parts/charts/time-range.ts';
import { lazyDialog } from '../../../parts/dialogs/lazy-dialog.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { ButtonLink } from '../../../parts/links.tsx';
import { countText } from '../../../parts/numbers.ts';
import { TimeAgo } from '../../../parts/time.tsx';
import { useIsOwner, useWorkspace, useWorkspaceId } from '../../../shell/workspace.ts';

const AdmitDialog = lazyDialog(() => import('../decisions/admit-dialog.tsx'), 'AdmitDialog');

const rejected = (count: number) => `${countText(count, 'request')} ${count === 1 ? 'was' : 'were'} rejected`;
const kept = (count: number) => `and ${count === 1 ? 'is' : 'are'} kept.`;

/** Whose cause concerns the whole workspace. */
export const workspaceReasons: readonly ExplainedReason[] = [
  'workspace_suspended',
  'rate_limited_minute',
  'rate_limited_day',
];
export const secretReasons: readonly ExplainedReason[] = ['signature_mismatch', 'secret_not_configured'];

/** Reasons whose cause someone has removed, or that has passed by itself. */
const texts = {
  form_inactive: (count: number) => `${rejected(count)} while this form was inactive ${kept(count)}`,
  workspace_suspended: (count: number) =>
    `${rejected(count)} while this workspace was suspended ${kept(count)}`,
  rate_limited_minute: (count: number) => `${rejected(count)} over the limit per minute ${kept(count)}`,
  rate_limited_day: (count: number) => `${rejected(count)} over the limit per day ${kept(count)}`,
  signature_mismatch: (count: number) =>
    count === 1
      ? 'The signature of 1 kept request matches the secret of this form now.'
      : `The signatures of ${countText(count, 'kept request')} match the secret of this form now.`,
  secret_not_configured: (count: number) =>
    `${rejected(count)} because this form had no secret ${kept(count)} ${count === 1 ? 'Its signature matches' : 'Their signatures match'} now.`,
};

type ExplainedReason = keyof typeof texts;

interface HeldBannersProps {
  readonly reasons: readonly ExplainedReason[];
  /** Requests to this form only. */
  readonly formId?: string;
  /** Where a page shows this time only: nothing if the newest arrived outside it. */
  readonly within?: RangeValues;
  /** The space below, if there are any. */
  readonly mb?: string;
}

/**
 * Offers held requests whose rejection is explained by something that is over. They follow from what is held, so they are there
 * for as long as there is something to decide, and only for people who may.
 */
export function HeldBanners({ reasons, formId, within = {}, mb }: HeldBannersProps) {
  const workspaceId = useWorkspaceId();
  const canDecide = useCanDecide();
  const summary = useQuery({ ...heldSummaryQuery(workspaceId, formId), enabled: canDecide });
  const { from = '', to = '' } = limitsOf(within, Date.now());
  // Without a bound, neither is true.
  const isOutside = (ms: number) => ms < Date.parse(from) || ms >= Date.parse(to);
  const rows = (canDecide ? waiting(summary.data, reasons) : []).filter(
    ({ last_at }) => !isOutside(Date.parse(last_at)),
  );
  if (rows.length === 0) return null;
  return (
    <Stack gap="xs" {...(mb === undefined ? {} : { mb })}>
      {rows.map(({ reason, admissible, last_at }) => (
        <HeldBanner key={reason} reason={reason} count={admissible} lastAt={last_at} formId={formId} />
      ))}
    </Stack>
  );
}

/** False until it is known whether there are banners: they would move what is below them if they came later. */
export function useBannersReady(formId?: string): boolean {
  const canDecide = useCanDecide();
  const summary = useQuery({ ...heldSummaryQuery(useWorkspaceId(), formId), enabled: canDecide });
  return !canDecide || !summary.isPending || summary.isPaused;
}

/** Nothing can be admitted while the workspace is suspended. */
function useCanDecide(): boolean {
  const isSuspended = useWorkspace()?.status === 'suspended';
  return useIsOwner() && !isSuspended;
}

function waiting(summary: HeldSummary | undefined, reasons: readonly ExplainedReason[]) {
  return reasons.flatMap((reason) => {
    const row = summary?.by_reason.find((each) => each.reason === reason);
    return row?.last_at == null ? [] : [{ reason, admissible: row.admissible, last_at: row.last_at }];
  });
}

interface HeldBannerProps {
  readonly reason: ExplainedReason;
  readonly count: number;
  readonly lastAt: string;
  readonly formId: string | undefined;
}

/** Hidden for the session at most, and shown again when there are more. */
function HeldBanner({ reason, count, lastAt, formId }: HeldBannerProps) {
  const workspaceId = useWorkspaceId();
  const navigate = useNavigate();
  const [isAdmitting, admitting] = useDisclosure();
  const [hiddenCount, hide] = useSessionStorage({
    key: `leadgate-held:${workspaceId}:${formId ?? ''}:${reason}`,
    defaultValue: 0,
    getInitialValueInEffect: false,
  });
  const ofForm = formId === undefined ? {} : { form_id: formId };
  // Of those that were not proven at first, these are.
  const proven = secretReasons.includes(reason) ? { class: 'A' as const } : {};
  const filters = { reason, ...ofForm, ...proven };
  if (count <= hiddenCount) return null;
  return (
    <Alert color="blue" icon={<Icon name="quarantine" />} p="sm">
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <Group gap="xs" flex={1}>
          <Text size="sm" className="numbers" flex="1 1 260px">
            {texts[reason](count)} {count === 1 ? 'It' : 'The newest'} arrived{' '}
            <TimeAgo time={lastAt} size="inherit" />.
          </Text>
          <Group gap="xs">
            <ButtonLink
              to="/w/$workspaceId/tokens/diagnostics/held"
              params={{ workspaceId }}
              search={filters}
              size="compact-sm"
              variant="default"
            >
              {count === 1 ? 'Look at it' : 'Look at them'}
            </ButtonLink>
            <Button size="compact-sm" onClick={admitting.open}>
              Admit…
            </Button>
          </Group>
        </Group>
        <CloseButton size="sm" aria-label="Hide for now" onClick={() => hide(count)} />
      </Group>
      <AdmitDialog
        opened={isAdmitting}
        selection={filters}
        onClose={admitting.close}
        onStarted={(decision) =>
          void navigate({
            to: '/w/$workspaceId/tokens/diagnostics/held',
            params: { workspaceId },
            search: { decision },
          })
        }
      />
    </Alert>
  );
}
