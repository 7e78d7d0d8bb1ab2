import { Stack, Switch, Text } from '@mantine/core';
import type { HeldDryRun } from '../../../../src/contract/held/decisions.ts';
import type { AdmissionChoices } from '../../../api/held-queries.ts';
import { countText, numberText } from '../../../parts/numbers.ts';

interface AdmissionPreviewProps {
  readonly dryRun: HeldDryRun;
  readonly isSingle: boolean;
  readonly choices: AdmissionChoices;
  onChange(choices: AdmissionChoices): void;
}

/** What an admission will do: how many, how they would be scored, and who gets them. */
export function AdmissionPreview({ dryRun, isSingle, choices, onChange }: AdmissionPreviewProps) {
  const { count, twins, destinations } = dryRun;
  const verdicts = Object.entries(dryRun.verdicts).filter(([, number]) => number > 0);
  return (
    <Stack gap="sm">
      <Text size="sm" role="status">
        {countLine(dryRun, isSingle, choices)}
      </Text>
      {twins > 0 && isSingle && (
        <Switch
          label="Admit it anyway"
          description="There are then two leads with the same content."
          checked={!choices.exclude_twins}
          onChange={(event) => onChange({ ...choices, exclude_twins: !event.currentTarget.checked })}
        />
      )}
      {twins > 0 && !isSingle && (
        <Switch
          label="Leave out those with an equal lead"
          description={twinText(twins)}
          checked={choices.exclude_twins}
          onChange={(event) => onChange({ ...choices, exclude_twins: event.currentTarget.checked })}
        />
      )}
      {count > 0 && verdicts.length > 0 && (
        <Text size="sm">
          {isSingle ? 'Predicted verdict: ' : 'Predicted verdicts: '}
          {verdicts
            .map(([verdict, number]) => (isSingle ? verdict : `${numberText(number)} ${verdict}`))
            .join(', ')}
          .
        </Text>
      )}
      {count > 0 && destinations.length > 0 && (
        <Switch
          label={isSingle ? 'Send it to destinations' : 'Send them to destinations'}
          description={`${destinations.map(({ name }) => name).join(', ')}, as far as their conditions are met.`}
          checked={choices.deliver}
          onChange={(event) => onChange({ ...choices, deliver: event.currentTarget.checked })}
          styles={{ description: { overflowWrap: 'anywhere' } }}
        />
      )}
      {count > 0 && destinations.length === 0 && (
        <Text size="sm" c="dimmed">
          No destination gets new leads of {isSingle ? 'this form' : 'these forms'}.
        </Text>
      )}
    </Stack>
  );
}

function countLine({ count, twins }: HeldDryRun, isSingle: boolean, choices: AdmissionChoices): string {
  if (isSingle && count > 0)
    return 'It becomes a lead with the time at which it arrived, scored with the present settings of its form.';
  if (isSingle && twins > 0 && !choices.exclude_twins)
    return 'It cannot be admitted: the other lead has the same idempotency key.';
  if (isSingle && twins > 0) return 'There is an equal lead already, so it is not admitted.';
  if (isSingle) return 'It cannot become a lead.';
  if (count === 0) return 'None of this selection can be admitted.';
  const become = count === 1 ? 'becomes a lead' : 'become leads';
  return `${countText(count, 'request')} of this selection ${become}, with the time of arrival, scored with the present settings of the form. What cannot be admitted is left out.`;
}

function twinText(twins: number): string {
  const have = twins === 1 ? '1 of them has' : `${numberText(twins)} of them have`;
  return `${have} the content or the idempotency key of a lead, or of an earlier request in this selection, and may be a retry. A second lead with the same key is never created.`;
}
