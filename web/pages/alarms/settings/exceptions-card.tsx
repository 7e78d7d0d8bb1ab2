import { ActionIcon, Box, Button, Group, Select, Text, TextInput, Title, Tooltip } from '@mantine/core';
import { useState } from 'react';
import { alarmKinds, alarmKindTexts } from '../../../../src/contract/alarms/terms.ts';
import type { Form } from '../../../../src/contract/forms/form.ts';
import { Icon } from '../../../parts/icons.tsx';
import { dayStart } from '../../../parts/lists/day-input.tsx';
import { type AlarmRule, isAbout, ruleFor } from '../alarm-rules.ts';
import { MutedTag } from './muted-tag.tsx';
import { RuleSwitch } from './rule-switch.tsx';
import type { SettingsDraft } from './settings-draft.ts';
import { SilenceChoices } from './silence-choices.tsx';

type Kind = AlarmRule['kind'];

/** Alarms that are not about a form. */
const workspaceKinds: readonly Kind[] = [
  'limit_near',
  'held_waiting',
  'delivery_failing',
  'destination_disabled',
];
const kinds = alarmKinds
  .filter((kind) => !workspaceKinds.includes(kind))
  .map((kind) => ({ value: kind, label: alarmKindTexts[kind].name }));

interface ExceptionsCardProps extends SettingsDraft {
  readonly forms: readonly Form[];
  readonly tokens: readonly { readonly id: string; readonly name: string }[];
}

/** What differs for single forms and tokens. */
export function ExceptionsCard({ form, forms, tokens }: ExceptionsCardProps) {
  const { rules } = form.values;
  const nameOf = ({ form_id, token_id }: AlarmRule) => {
    const formName = forms.find(({ id }) => id === form_id)?.name ?? 'Deleted form';
    if (token_id === null) return formName;
    return `${formName}, ${tokens.find(({ id }) => id === token_id)?.name ?? 'deleted token'}`;
  };
  const put = (changed: AlarmRule) =>
    form.setFieldValue(
      'rules',
      rules.map((rule) => (isAbout(rule, changed) ? changed : rule)),
    );
  const exceptions = rules.filter(({ form_id }) => form_id !== null);
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5" mb={4}>
        Exceptions
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        Settings of single forms. They replace those above for this form and kind of alarm.
      </Text>
      <Box component="ul" m={0} p={0} className="statements" aria-label="Exceptions">
        {exceptions.map((rule) => (
          <Exception
            key={`${rule.kind} ${rule.form_id} ${rule.token_id}`}
            rule={rule}
            name={nameOf(rule)}
            onChange={put}
            onRemove={() =>
              form.setFieldValue(
                'rules',
                rules.filter((each) => !isAbout(each, rule)),
              )
            }
          />
        ))}
      </Box>
      <AddException
        forms={forms}
        rules={rules}
        onAdd={(rule) => form.setFieldValue('rules', [...rules, rule])}
      />
    </Box>
  );
}

interface ExceptionProps {
  readonly rule: AlarmRule;
  /** Of the form, and of the token if it is about one. */
  readonly name: string;
  onChange(changed: AlarmRule): void;
  onRemove(): void;
}

function Exception({ rule, name, onChange, onRemove }: ExceptionProps) {
  const kind = alarmKindTexts[rule.kind].name;
  const about = `${kind}, ${name}`;
  return (
    <Box component="li" className="field" py={10}>
      <Group wrap="nowrap" align="flex-start" gap="xs">
        <RuleSwitch
          label={name}
          description={kind}
          isOn={rule.enabled}
          onChange={(enabled) => onChange({ ...rule, enabled })}
        />
        <Tooltip label="Remove the exception">
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={`Remove the exception ${about}`}
            onClick={onRemove}
          >
            <Icon name="trash" size={15} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <MutedTag rule={rule} onUnmute={() => onChange({ ...rule, muted_until: null })} />
      {rule.kind === 'silence' && rule.enabled && (
        <SilenceChoices rule={rule} of={name} onChange={(values) => onChange({ ...rule, ...values })} />
      )}
      {rule.enabled && (
        <Group gap="xs" mt={8}>
          <Text size="sm">Mute until</Text>
          <TextInput
            size="xs"
            type="date"
            aria-label={`Mute until, ${about}`}
            value={localDay(rule.muted_until)}
            onChange={(event) =>
              onChange({ ...rule, muted_until: dayStart(event.currentTarget.value || undefined, 0) ?? null })
            }
          />
        </Group>
      )}
    </Box>
  );
}

/** As a date input wants it, on this clock. */
function localDay(time: string | null): string {
  if (time === null) return '';
  const date = new Date(time);
  const parts = [date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  return [date.getFullYear(), ...parts].join('-');
}

interface AddExceptionProps {
  readonly forms: readonly Form[];
  readonly rules: readonly AlarmRule[];
  onAdd(rule: AlarmRule): void;
}

function AddException({ forms, rules, onAdd }: AddExceptionProps) {
  const [formId, setFormId] = useState<string | null>(null);
  const [kind, setKind] = useState<Kind>('silence');
  const subject = { kind, form_id: formId, token_id: null };
  const isThere = rules.some((rule) => isAbout(rule, subject));
  return (
    <Group gap="xs" mt="sm" align="flex-start" role="group" aria-label="New exception">
      <Select
        size="xs"
        aria-label="Form of the exception"
        placeholder="Choose a form"
        searchable
        data={forms.map(({ id, name }) => ({ value: id, label: name }))}
        w={{ base: '100%', xs: 190 }}
        value={formId}
        onChange={setFormId}
      />
      <Select
        size="xs"
        aria-label="Kind of the exception"
        allowDeselect={false}
        data={kinds}
        w={{ base: '100%', xs: 190 }}
        value={kind}
        error={isThere && 'This exception is there already.'}
        onChange={(value) => setKind(kinds.find((each) => each.value === value)?.value ?? kind)}
      />
      <Button
        size="xs"
        variant="default"
        leftSection={<Icon name="plus" size={14} />}
        disabled={formId === null || isThere}
        onClick={() => {
          onAdd({ ...ruleFor(rules, subject), ...subject });
          setFormId(null);
        }}
      >
        Add exception
      </Button>
    </Group>
  );
}
