import { Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type AdmissionChoices,
  admissionDryRunQuery,
  type HeldSelection,
} from '../../../api/held-queries.ts';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { countText } from '../../../parts/numbers.ts';
import { Loaded } from '../../../parts/states.tsx';
import { useWorkspace, useWorkspaceId } from '../../../shell/workspace.ts';
import { AdmissionPreview } from './admission-preview.tsx';
import { Refusal } from './refusal.tsx';

const choicesDefault: AdmissionChoices = { exclude_twins: true, deliver: true };

interface AdmissionProps {
  readonly opened: boolean;
  readonly selection: HeldSelection;
  readonly isSingle: boolean;
  /** An equal lead that is known already. */
  readonly leadId?: string | null;
  /** With the ID of what was started. */
  admit(choices: AdmissionChoices): Promise<string>;
  onAdmitted(id: string): void;
  onClose(): void;
}

/** Counts first, then asks. */
export function AdmissionDialog(props: AdmissionProps) {
  const { opened, selection, isSingle, leadId, admit, onAdmitted, onClose } = props;
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  const isSuspended = useWorkspace()?.status === 'suspended';
  const [choices, setChoices] = useState(choicesDefault);
  const dryRun = useQuery({
    ...admissionDryRunQuery(workspaceId, selection, choices.exclude_twins),
    enabled: opened && !isSuspended,
  });
  const mutation = useMutation({
    mutationFn: () => admit(choices),
    onSuccess(id) {
      close();
      onAdmitted(id);
    },
    // Even a refusal tells that the list is out of date.
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['held', workspaceId] }),
  });
  const close = () => {
    onClose();
    mutation.reset();
    setChoices(choicesDefault);
  };
  const count = dryRun.data?.count ?? 0;
  return (
    <Confirm
      opened={opened}
      title={isSingle ? 'Admit this request?' : 'Admit these requests?'}
      action={isSingle || count === 0 ? 'Admit' : `Admit ${countText(count, 'request')}`}
      isReady={!isSuspended && count > 0 && !dryRun.isFetching}
      isHarmless
      mutation={mutation}
      failure={(error) => <Refusal error={error} leadId={leadId} />}
      onClose={close}
    >
      {isSuspended ? (
        <Text size="sm">
          The workspace is suspended. Nothing can be admitted until an operator resumes it.
        </Text>
      ) : (
        <Loaded query={dryRun} rows={2}>
          {(data) => (
            <AdmissionPreview dryRun={data} isSingle={isSingle} choices={choices} onChange={setChoices} />
          )}
        </Loaded>
      )}
    </Confirm>
  );
}
