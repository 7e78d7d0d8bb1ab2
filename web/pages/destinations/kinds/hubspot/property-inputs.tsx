import { Button, Group, Stack, Text } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import type { Form } from '../../../../../src/contract/forms/form.ts';
import { fieldErrors } from '../../../../parts/api-form.tsx';
import { Icon } from '../../../../parts/icons.tsx';
import { sentence } from '../../../../parts/text/sentence.ts';
import type { DestinationDraft } from '../../draft/draft.ts';
import { MappingRows } from '../../draft/mapping-rows.tsx';
import { commonProperties, suggestedRows } from './properties.ts';
import { useProperties } from './use-properties.ts';

interface PropertyInputsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly forms: readonly Form[];
  /** By their paths in the draft. */
  readonly errors: FormErrors;
  /** Null for a new one. */
  readonly destinationId: string | null;
}

export function PropertyInputs({ form, forms, errors, destinationId }: PropertyInputsProps) {
  const { mapping } = form.values;
  const known = useProperties(form, destinationId);
  const suggested = suggestedRows(mapping, forms);
  return (
    <Stack gap="sm" maw={720}>
      <MappingRows
        {...{ form, forms, errors }}
        label="Properties of the contact"
        hint={
          <>
            From the key of a field, or a path such as /enrichment/company/name, to the internal name of a
            property. One row must set <code>email</code>: HubSpot finds the contact by it. Leads without an
            email address are skipped.
          </>
        }
        targets={known.properties ?? commonProperties}
        hasOthers={false}
      />
      {known.properties === null && known.canLoad && <LoadProperties {...known} />}
      {suggested.length > 0 && (
        <Group gap="xs" role="group" aria-label="Usual properties">
          <Text size="xs" c="dimmed">
            Often sent too:
          </Text>
          {suggested.map(({ label, row }) => (
            <Button
              key={row.to}
              size="compact-xs"
              variant="default"
              leftSection={<Icon name="plus" size={12} />}
              onClick={() => form.setFieldValue('mapping', [...mapping, row])}
            >
              {label}
            </Button>
          ))}
        </Group>
      )}
    </Stack>
  );
}

type LoadPropertiesProps = Pick<ReturnType<typeof useProperties>, 'error' | 'isLoading' | 'load'>;

/** Until then only the usual ones are suggested. */
function LoadProperties({ error, isLoading, load }: LoadPropertiesProps) {
  return (
    <div>
      <Group gap="xs">
        <Button size="xs" variant="default" loading={isLoading} onClick={() => void load()}>
          Load properties
        </Button>
        <Text size="xs" c="dimmed">
          Suggests all properties of your HubSpot account.
        </Text>
      </Group>
      {error !== null && !isLoading && (
        <Text size="xs" c="var(--rejected-text)" mt={4} role="alert" className="wrap">
          {problemText(error)}
        </Text>
      )}
    </div>
  );
}

function problemText(error: Error): string {
  const [wrong] = fieldErrors(error, undefined, {});
  return wrong === undefined ? error.message : sentence(wrong[1]);
}
