import { NumberInput, Radio, Stack } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { perSecondMax, perSecondMin } from '../../../../../src/contract/destinations/terms.ts';
import type { Form } from '../../../../../src/contract/forms/form.ts';
import type { DestinationDraft } from '../../draft/draft.ts';
import { emptyRow } from '../../draft/mapping.ts';
import { MappingRows } from '../../draft/mapping-rows.tsx';
import type { OfKind } from '../kind-words.ts';

type Format = OfKind<'webhook'>['format'];

const formats: Readonly<Record<Format, { label: string; description: string }>> = {
  standard: {
    label: 'Standard',
    description: 'The event with the whole lead in data: fields, score, reasons, enrichment, attribution.',
  },
  flat: {
    label: 'Flat',
    description: 'The fields on top, everything else in _leadgate. For Zapier, Make and n8n.',
  },
  thin: { label: 'Thin', description: 'IDs only. The receiver reads the lead by API.' },
  mapped: { label: 'Mapped', description: 'Only the fields you list, under the names the receiver wants.' },
};

interface FormatInputsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly forms: readonly Form[];
  /** By their paths in the draft. */
  readonly errors: FormErrors;
}

export function FormatInputs({ form, forms, errors }: FormatInputsProps) {
  const { format, mapping } = form.values;
  const choose = (value: string) => {
    form.setFieldValue('format', value as Format);
    // The format needs a row.
    if (value === 'mapped' && mapping.length === 0) form.setFieldValue('mapping', [emptyRow]);
  };
  return (
    <Stack gap="lg" maw={720}>
      <Radio.Group
        label="Format of the body"
        {...form.getInputProps('format')}
        value={format}
        onChange={choose}
      >
        <Stack gap="xs" mt="xs">
          {Object.entries(formats).map(([value, { label, description }]) => (
            <Radio key={value} value={value} label={label} description={description} />
          ))}
        </Stack>
      </Radio.Group>
      {format === 'mapped' && (
        <MappingRows
          {...{ form, forms, errors }}
          label="Fields of the body"
          hint={
            <>
              From the key of a field, or a path such as /enrichment/company/name. <code>*</code> sends every
              other field under its own key. What is not listed is not sent.
            </>
          }
          targets={null}
          hasOthers
        />
      )}
      <NumberInput
        label="Requests per second"
        description="The most that the receiver gets. Leads that arrive faster wait."
        maw={260}
        min={perSecondMin}
        max={perSecondMax}
        allowNegative={false}
        decimalScale={1}
        {...form.getInputProps('per_second')}
        onChange={(value) => form.setFieldValue('per_second', Number(value))}
      />
    </Stack>
  );
}
