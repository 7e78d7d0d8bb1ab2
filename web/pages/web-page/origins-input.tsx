import { ActionIcon, Button, Group, Input, Stack, Switch, Text, TextInput } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { normalOrigin, originRule } from '../../../src/contract/browser/terms.ts';
import { Icon } from '../../parts/icons.tsx';
import { exactTime, TimeUntil } from '../../parts/time.tsx';
import type { DraftProps } from './draft.ts';

interface OriginsInputProps extends DraftProps {
  /** What is typed and not yet in the list. */
  readonly typed: string;
  readonly typedError: ReactNode;
  onType(text: string): void;
  onAdd(): void;
}

/** Which websites may send leads. */
export function OriginsInput({ form, isReadOnly, typed, typedError, onType, onAdd }: OriginsInputProps) {
  const id = useId();
  const { origins } = form.values;
  const remove = (origin: string) =>
    form.setFieldValue(
      'origins',
      origins.filter((each) => each !== origin),
    );
  return (
    <Stack gap="xs" role="group" aria-labelledby={id}>
      <div>
        <Text size="sm" fw={500} id={id}>
          Allowed origins
        </Text>
        <Text size="xs" c="dimmed">
          Where your pages are served, such as <code>https://www.example.com</code>, or{' '}
          <code>https://*.example.com</code> for any one label. This keeps other websites out. A program can
          claim any origin; the protection below, the limits and the score are for those.
        </Text>
      </div>
      {origins.length === 0 && (
        <Text size="sm" c="dimmed">
          No origin yet.
        </Text>
      )}
      {origins.length > 0 && (
        <ul className="origins">
          {origins.map((origin) => (
            <li key={origin}>
              <Text size="sm" ff="monospace" className="wrap" flex={1}>
                {origin}
              </Text>
              {!isReadOnly && (
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${origin}`}
                  onClick={() => remove(origin)}
                >
                  <Icon name="trash" size={15} />
                </ActionIcon>
              )}
            </li>
          ))}
        </ul>
      )}
      {!isReadOnly && (
        <Group gap="xs" align="flex-start" wrap="nowrap">
          <TextInput
            flex={1}
            aria-label="New origin"
            placeholder="https://www.example.com"
            inputMode="url"
            autoComplete="off"
            spellCheck={false}
            value={typed}
            error={typedError}
            onChange={(event) => onType(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
              // Adds the origin instead of saving.
              event.preventDefault();
              onAdd();
            }}
          />
          <Button variant="default" leftSection={<Icon name="plus" size={13} />} onClick={onAdd}>
            Add
          </Button>
        </Group>
      )}
      {form.errors.origins && <Input.Error role="alert">{form.errors.origins}</Input.Error>}
    </Stack>
  );
}

/** The list with what was typed, or why it cannot be added. */
export function withOrigin(
  origins: readonly string[],
  typed: string,
): { readonly origins: readonly string[] } | { readonly error: string } {
  const origin = normalOrigin(typed);
  if (origin === null) return { error: originRule.charAt(0).toUpperCase() + originRule.slice(1) };
  return { origins: [...new Set([...origins, origin])] };
}

/** For people who build their page on their own machine. It ends by itself, so that nobody forgets it. */
export function LocalhostSwitch({ form, stored, isReadOnly }: DraftProps) {
  const until = stored.localhost_until;
  const isOn = until !== null && Date.parse(until) > Date.now();
  return (
    <Switch
      label="Allow localhost for 24 hours"
      disabled={isReadOnly}
      description={
        isOn && form.values.localhost ? (
          <>
            Ends <TimeUntil time={until} size="inherit" />, {exactTime(until)}.
          </>
        ) : (
          'http://localhost and http://127.0.0.1 on any port, while you build your page. It ends by itself.'
        )
      }
      {...form.getInputProps('localhost', { type: 'checkbox' })}
    />
  );
}
