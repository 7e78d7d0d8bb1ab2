import { Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { WholeHeldSubmission } from '../../../../src/contract/held/held.ts';
import { api } from '../../../api/client.ts';
import { Confirm } from '../../../parts/dialogs/confirm.tsx';
import { Icon } from '../../../parts/icons.tsx';
import { ButtonLink, TextLink } from '../../../parts/links.tsx';
import { countText } from '../../../parts/numbers.ts';
import { isAboutSigning } from '../../../parts/text/rejection-name.ts';
import { linkLook, toastDone, toastProblem } from '../../../parts/toast.ts';
import { useWorkspaceId } from '../../../shell/workspace.ts';
import { AdmissionDialog } from '../decisions/admission-dialog.tsx';
import { Refusal } from '../decisions/refusal.tsx';

/** What was not signed at all can never match. */
const canVerify = ({ class: heldClass, headers }: WholeHeldSubmission) =>
  heldClass === 'D' && headers !== null && headers.timestamp !== null && headers.signature !== null;

/** Reads again what a decision has changed: the request itself, and the list. */
function useReadAgain(heldId: string) {
  const workspaceId = useWorkspaceId();
  const queryClient = useQueryClient();
  return () =>
    Promise.all(
      [
        ['held', workspaceId],
        ['held request', workspaceId, heldId],
      ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    );
}

export function HeldActions({ held }: { held: WholeHeldSubmission }) {
  const workspaceId = useWorkspaceId();
  const isUndecided = held.state === 'held';
  return (
    <Group gap="xs" mt={4}>
      {/* Their dialogs stay when the request is decided meanwhile: they say so. */}
      <AdmitButton held={held} isShown={isUndecided && held.is_admissible} />
      <DiscardButton held={held} isShown={isUndecided} />
      {isUndecided && canVerify(held) && <VerifyButton held={held} />}
      {held.surface === 'webhook' && isAboutSigning(held.reason) && isUndecided && (
        <ButtonLink
          to="/w/$workspaceId/debugger"
          params={{ workspaceId }}
          search={{ form: held.form_id, rejection: held.id }}
          size="xs"
          variant="default"
          leftSection={<Icon name="debugger" size={14} />}
        >
          Debug signature
        </ButtonLink>
      )}
    </Group>
  );
}

interface DecisionButtonProps {
  readonly held: WholeHeldSubmission;
  readonly isShown: boolean;
}

function AdmitButton({ held, isShown }: DecisionButtonProps) {
  const workspaceId = useWorkspaceId();
  const [isAsking, ask] = useDisclosure();
  const readAgain = useReadAgain(held.id);
  return (
    <>
      {isShown && (
        <Button size="xs" leftSection={<Icon name="check" size={14} />} onClick={ask.open}>
          Admit…
        </Button>
      )}
      <AdmissionDialog
        opened={isAsking}
        selection={{ ids: [held.id] }}
        isSingle
        leadId={held.twin_of ?? held.submission_id}
        admit={async (choices) => {
          try {
            const { submission_id } = await api('POST', '/workspaces/:workspace_id/held/:held_id/admission', {
              params: { workspace_id: workspaceId, held_id: held.id },
              body: choices,
            });
            return submission_id;
          } finally {
            void readAgain();
          }
        }}
        onAdmitted={(leadId) =>
          toastDone(
            <>
              Admitted. It is a lead now.{' '}
              <TextLink to="/w/$workspaceId/leads/$leadId" params={{ workspaceId, leadId }} {...linkLook}>
                Open the lead
              </TextLink>
            </>,
          )
        }
        onClose={ask.close}
      />
    </>
  );
}

function DiscardButton({ held, isShown }: DecisionButtonProps) {
  const workspaceId = useWorkspaceId();
  const [isAsking, ask] = useDisclosure();
  const readAgain = useReadAgain(held.id);
  const discard = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/held/:held_id/discard', {
        params: { workspace_id: workspaceId, held_id: held.id },
      }),
    onSuccess() {
      ask.close();
      toastDone('Discarded.');
    },
    onSettled: readAgain,
  });
  return (
    <>
      {isShown && (
        <Button size="xs" variant="default" leftSection={<Icon name="trash" size={14} />} onClick={ask.open}>
          Discard…
        </Button>
      )}
      <Confirm
        opened={isAsking}
        title="Discard this request?"
        action="Discard"
        mutation={discard}
        failure={(error) => <Refusal error={error} leadId={held.submission_id} />}
        onClose={() => {
          ask.close();
          discard.reset();
        }}
      >
        Its content is deleted, and it can never become a lead. This cannot be undone.
      </Confirm>
    </>
  );
}

/** Checks all requests of the form, because a new secret explains all of them. */
function VerifyButton({ held }: { held: WholeHeldSubmission }) {
  const readAgain = useReadAgain(held.id);
  const workspaceId = useWorkspaceId();
  const verify = useMutation({
    mutationFn: () =>
      api('POST', '/workspaces/:workspace_id/held/re-verification', {
        params: { workspace_id: workspaceId },
        body: { form_id: held.form_id },
      }),
    onSuccess({ verified }) {
      toastDone(
        verified === 0
          ? 'No signature of a held request to this form matches its secret.'
          : `The signatures of ${countText(verified, 'held request')} to this form match its secret.`,
      );
      return readAgain();
    },
    onError: toastProblem,
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<Icon name="refresh" size={14} />}
      loading={verify.isPending}
      onClick={() => verify.mutate()}
    >
      Check signature again
    </Button>
  );
}
