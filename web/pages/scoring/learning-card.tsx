import { Box, Button, Stack, Switch, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { FormLearning } from '../../../src/contract/scoring/learning.ts';
import { api } from '../../api/client.ts';
import { Confirm } from '../../parts/dialogs/confirm.tsx';
import { Icon } from '../../parts/icons.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { Loaded } from '../../parts/states.tsx';
import { TimeAgo } from '../../parts/time.tsx';
import { toastDone } from '../../parts/toast.ts';
import { useFormId, useIsOwner, useWorkspaceId } from '../../shell/workspace.ts';
import type { SettingsDraft } from './settings-draft.ts';

const path = '/workspaces/:workspace_id/forms/:form_id/scoring/learning';
const domainsShown = 8;

const learningQuery = (workspace_id: string, form_id: string) =>
  queryOptions({
    queryKey: ['scoring', workspace_id, form_id, 'learning'],
    queryFn: () => api('GET', path, { params: { workspace_id, form_id } }),
  });

/** What the marks on leads of the form do to the scores of the next ones. */
export function LearningCard({ form }: SettingsDraft) {
  const isOwner = useIsOwner();
  const query = useQuery(learningQuery(useWorkspaceId(), useFormId()));
  return (
    <Box className="panel" p="lg" component="section" aria-labelledby="learning-title">
      <Title order={2} size="h5" mb="xs" id="learning-title">
        Learning from your marks
      </Title>
      <Stack gap="sm">
        <Switch
          label="Marks shift the risk of similar leads"
          description="By up to 20 points, never alone to spam, and always shown among the reasons."
          disabled={!isOwner}
          {...form.getInputProps('learning.enabled', { type: 'checkbox' })}
        />
        <Loaded query={query}>
          {(learning) => (
            <>
              <Learned learning={learning} />
              {isOwner && markedCount(learning) > 0 && <ForgetButton />}
            </>
          )}
        </Loaded>
      </Stack>
    </Box>
  );
}

/** Leads whose marks count now. */
function markedCount({ leads }: FormLearning): number {
  return leads.spam + leads.not_spam;
}

function Learned({ learning }: { learning: FormLearning }) {
  const { leads, people, since, number, needed, words, forgotten_at } = learning;
  return (
    <Stack gap={6}>
      <Text size="sm" component="div">
        {markedCount(learning) === 0 ? (
          'No marked leads count yet.'
        ) : (
          <>
            Learned from {numberText(leads.spam)} marked as spam and {numberText(leads.not_spam)} as not spam,
            by {people === 1 ? 'one person' : `${numberText(people)} people`}
            {since !== null && (
              <>
                , the first <TimeAgo time={since} />
              </>
            )}
            .
          </>
        )}{' '}
        {number === null &&
          `Scores change from ${needed.of_each} leads of each mark, or ${needed.of_one} of one. Leads that say the same count once.`}
      </Text>
      {number !== null && (
        <Text size="sm" c="dimmed">
          {countText(words.spam, 'word')} speak for spam and {numberText(words.not_spam)} against it. Only
          hashes of words are stored.
        </Text>
      )}
      <Domains learning={learning} mark="spam" title="Domains that speak for spam" />
      <Domains learning={learning} mark="not_spam" title="Domains that speak against it" />
      {forgotten_at !== null && (
        <Text size="xs" c="dimmed" component="div">
          Forgotten by {learning.forgotten_by} <TimeAgo time={forgotten_at} />. Earlier marks do not count.
        </Text>
      )}
    </Stack>
  );
}

interface DomainsProps {
  readonly learning: FormLearning;
  readonly mark: FormLearning['domains'][number]['mark'];
  readonly title: string;
}

function Domains({ learning, mark, title }: DomainsProps) {
  // A domain may speak for it both in addresses and in links.
  const found = [...new Set(learning.domains.filter((one) => one.mark === mark).map(({ domain }) => domain))];
  if (found.length === 0) return null;
  const more = found.length - domainsShown;
  return (
    <Text size="sm" c="dimmed" className="wrap">
      {title}: {found.slice(0, domainsShown).join(', ')}
      {more > 0 && ` and ${numberText(more)} more`}
    </Text>
  );
}

function ForgetButton() {
  const workspace_id = useWorkspaceId();
  const form_id = useFormId();
  const queryClient = useQueryClient();
  const [isAsking, ask] = useDisclosure();
  const forget = useMutation({
    mutationFn: () => api('DELETE', path, { params: { workspace_id, form_id } }),
    onSuccess(learning) {
      ask.close();
      queryClient.setQueryData(learningQuery(workspace_id, form_id).queryKey, learning);
      toastDone('Forgotten. New leads are scored without earlier marks.');
    },
  });
  return (
    <>
      <Button
        variant="light"
        color="red"
        size="xs"
        w="fit-content"
        leftSection={<Icon name="trash" size={14} />}
        onClick={ask.open}
      >
        Forget what was learned
      </Button>
      <Confirm
        opened={isAsking}
        title="Forget what was learned?"
        action="Forget"
        mutation={forget}
        onClose={() => {
          ask.close();
          forget.reset();
        }}
      >
        Marks up to now no longer count for new leads. The marks themselves stay, and so do stored scores.
        This cannot be undone.
      </Confirm>
    </>
  );
}
