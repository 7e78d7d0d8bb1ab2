import { Alert, Checkbox, Stack, Text } from '@mantine/core';

// As in the API, whose constants are in files that pages do not load.
const aliasDays = 30;

interface SlugChangeProps {
  /** The slug that the form has now. */
  readonly slug: string;
  readonly isAlias: boolean;
  onChange(isAlias: boolean): void;
}

/** What a new slug means for senders, and the offer to keep the present one for a while. */
export function SlugChange({ slug, isAlias, onChange }: SlugChangeProps) {
  return (
    <Alert color="yellow" p="xs">
      <Stack gap="xs">
        <Text size="sm" aria-live="polite">
          Webhook requests to <b className="wrap">{slug}</b>{' '}
          {isAlias
            ? `are accepted for another ${aliasDays} days, or until another form uses the slug. Change the URL at your senders before that.`
            : 'will be rejected. The slug stays reserved for this workspace.'}
        </Text>
        <Checkbox
          size="sm"
          label={`Keep it as an alias for ${aliasDays} days`}
          checked={isAlias}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      </Stack>
    </Alert>
  );
}
