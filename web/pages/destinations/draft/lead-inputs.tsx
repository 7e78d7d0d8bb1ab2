import { Checkbox, Group, MultiSelect, NumberInput, Radio, Stack, Text } from '@mantine/core';
import type { FormErrors, UseFormReturnType } from '@mantine/form';
import { subscribable, waitSecondsMax } from '../../../../src/contract/destinations/terms.ts';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { ConditionRows } from './condition-rows.tsx';
import type { DestinationDraft } from './draft.ts';

interface LeadInputsProps {
  readonly form: UseFormReturnType<DestinationDraft>;
  readonly forms: readonly Form[];
  /** By their paths in the draft. */
  readonly errors: FormErrors;
}

/** Which leads, of which forms, after which events. */
export function LeadInputs({ form, forms, errors }: LeadInputsProps) {
  return (
    <Stack gap="lg" maw={720}>
      <FormChoice form={form} forms={forms} />
      <ConditionRows form={form} forms={forms} errors={errors} />
      <EventChoice form={form} />
      <SendWhen form={form} />
    </Stack>
  );
}

function FormChoice({ form, forms }: Pick<LeadInputsProps, 'form' | 'forms'>) {
  const { form_ids } = form.values;
  const names = forms.map(({ id, name }) => ({ value: id, label: name }));
  const deleted = (form_ids ?? []).filter((id) => !forms.some((one) => one.id === id));
  return (
    <Radio.Group
      label="Forms"
      value={form_ids === null ? 'all' : 'some'}
      onChange={(value) => form.setFieldValue('form_ids', value === 'all' ? null : [])}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="all" label="All forms, including later ones" />
        <Radio value="some" label="Only some forms" />
        {form_ids !== null && (
          <MultiSelect
            aria-label="Forms to send leads of"
            data={[...names, ...deleted.map((id) => ({ value: id, label: 'Deleted form' }))]}
            placeholder={form_ids.length === 0 ? 'Choose forms' : ''}
            searchable
            ml={30}
            {...form.getInputProps('form_ids')}
          />
        )}
      </Stack>
    </Radio.Group>
  );
}

function EventChoice({ form }: Pick<LeadInputsProps, 'form'>) {
  return (
    <Checkbox.Group label="Events" {...form.getInputProps('events')}>
      <Stack gap="xs" mt="xs">
        {subscribable(form.values.kind).map(({ type, text }) => (
          <Checkbox key={type} value={type} label={text} description={type} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function SendWhen({ form }: Pick<LeadInputsProps, 'form'>) {
  return (
    <Radio.Group label="When to send" {...form.getInputProps('send_when')}>
      <Stack gap="xs" mt="xs">
        <Radio
          value="enriched"
          label="With the enrichment"
          description="One message with everything. If the enrichment takes longer, the lead is sent without it."
        />
        {form.values.send_when === 'enriched' && (
          <Group gap="xs" ml={30}>
            <Text size="sm" id="wait-label">
              Wait up to
            </Text>
            <NumberInput
              aria-labelledby="wait-label"
              w={110}
              min={0}
              max={waitSecondsMax}
              allowDecimal={false}
              allowNegative={false}
              {...form.getInputProps('wait_max_s')}
              onChange={(value) => form.setFieldValue('wait_max_s', Number(value))}
            />
            <Text size="sm">seconds</Text>
          </Group>
        )}
        <Radio
          value="accepted"
          label="Immediately"
          description="Within seconds, usually before the enrichment is there."
        />
      </Stack>
    </Radio.Group>
  );
}
