import { Alert, Box, Text } from '@mantine/core';
import type { HeldSummary } from '../../../src/contract/held/held.ts';
import { Icon } from '../../parts/icons.tsx';
import { TextLink } from '../../parts/links.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { exactTime } from '../../parts/time.tsx';
import { useWorkspaceId } from '../../shell/workspace.ts';

/** How many are kept, for how long, and what that means. */
export function HeldSummaryText({ summary }: { summary: HeldSummary }) {
  const workspaceId = useWorkspaceId();
  const { held, admissible, next_expires_at, not_kept, is_off, kept_days } = summary;
  return (
    <Box mb="lg">
      {is_off && (
        <Alert
          color="yellow"
          icon={<Icon name="alert" />}
          title="The operator has turned keeping off"
          mb="sm"
        >
          <Text size="sm">New rejected requests are lost. What is here stays until its time is over.</Text>
        </Alert>
      )}
      {!is_off && kept_days === 0 && (
        <Alert
          color="yellow"
          icon={<Icon name="alert" />}
          title="This workspace does not keep rejected requests"
          mb="sm"
        >
          <Text size="sm">
            New rejected requests are lost. Change this under{' '}
            <TextLink to="/w/$workspaceId/workspace" params={{ workspaceId }} size="sm">
              Workspace
            </TextLink>
            .
          </Text>
        </Alert>
      )}
      <Text size="sm" fw={550} className="numbers" role="status">
        {keptText(held, admissible)}
        {next_expires_at !== null &&
          ` ${held === 1 ? 'It' : 'The first'} is deleted on ${exactTime(next_expires_at)}.`}
        {not_kept > 0 &&
          ` In the last 14 days, ${numberText(not_kept)} could not be kept because there was no space.`}
      </Text>
      <Text size="sm" c="dimmed" maw={760}>
        Keeping is not accepting. The senders got the same response as if nothing was kept. These requests are
        not leads until an owner admits them.
      </Text>
    </Box>
  );
}

function keptText(held: number, admissible: number): string {
  if (held === 0) return 'No rejected requests are kept at the moment.';
  const kept = `${countText(held, 'rejected request')} ${held === 1 ? 'is' : 'are'} kept`;
  if (held === 1) return `${kept}, and it ${admissible === 1 ? 'can' : 'cannot'} be admitted.`;
  return `${kept}, ${admissible === held ? 'and all' : numberText(admissible)} of them can be admitted.`;
}
