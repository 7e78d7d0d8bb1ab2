import { Anchor, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { slugQuery } from '../../api/queries.ts';

interface SlugInputProps {
  readonly workspaceId: string;
  /** Suggests a slug while none is typed. */
  readonly name: string;
  readonly value: string;
  /** The current slug of the form, which is not checked. */
  readonly own?: string;
  readonly error?: string | undefined;
  onChange(slug: string): void;
}

const typingMs = 250;

/** Checks with the API, while a slug is typed, whether it is allowed and available. */
export function SlugInput({ workspaceId, name, value, own, error, onChange }: SlugInputProps) {
  const [asked] = useDebouncedValue(value === '' ? { name } : { slug: value }, typingMs);
  const isAsking = (asked.slug ?? asked.name ?? '') !== '' && asked.slug !== own;
  const check = useQuery({ ...slugQuery(workspaceId, asked), enabled: isAsking });
  const answer = isAsking ? check.data : undefined;
  const isWrong = answer !== undefined && !answer.free && value !== '';
  return (
    <TextInput
      label="Slug"
      description={`The last part of the webhook URL.${own === undefined ? ' Leave empty to create one from the name.' : ''}`}
      placeholder={value === '' ? (answer?.slug ?? '') : ''}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autoComplete="off"
      spellCheck={false}
      error={
        error ??
        (isWrong ? (
          <SlugError text={answer.problem} suggestion={answer.suggestion} onTake={onChange} />
        ) : undefined)
      }
      inputWrapperOrder={['label', 'description', 'input', 'error']}
      rightSectionWidth={76}
      // While somebody types, the response is still about the previous text.
      rightSection={answer?.free && answer.slug === value ? <Available /> : undefined}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
    />
  );
}

function Available(): ReactNode {
  return (
    <Text size="xs" c="var(--accepted-text)" role="status">
      available
    </Text>
  );
}

function SlugError(props: {
  text: string | null;
  suggestion: string | null;
  onTake: (slug: string) => void;
}) {
  const { text, suggestion, onTake } = props;
  return (
    <>
      {text}{' '}
      {suggestion && (
        <Anchor component="button" type="button" size="xs" onClick={() => onTake(suggestion)}>
          Use {suggestion}
        </Anchor>
      )}
    </>
  );
}
