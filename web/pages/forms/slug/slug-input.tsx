import { Anchor, Box, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ingestUrl } from '../../../api/page-settings.ts';
import { slugQuery } from '../../../api/queries.ts';

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
const nameCharactersMax = 200;

/** Checks with the API, while a name or a slug is typed, which URL the form will get and whether it is available. */
export function SlugInput({ workspaceId, name, value, own, error, onChange }: SlugInputProps) {
  const answer = useSlugCheck(workspaceId, name, value, own);
  const isWrong = answer !== undefined && !answer.free && value !== '';
  return (
    <div>
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
        rightSection={answer?.free && value !== '' ? <Available /> : undefined}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      {own === undefined && <Preview slug={answer?.free ? answer.slug : undefined} />}
    </div>
  );
}

/** Undefined until the API has responded to exactly what is typed now. */
function useSlugCheck(workspaceId: string, name: string, slug: string, own: string | undefined) {
  const typed = useMemo(() => (slug === '' ? { name: name.trim() } : { slug }), [name, slug]);
  const [asked] = useDebouncedValue(typed, typingMs);
  const text = asked.slug ?? asked.name;
  const isAsking = text !== '' && text !== own && text.length <= nameCharactersMax;
  const check = useQuery({ ...slugQuery(workspaceId, asked), enabled: isAsking });
  return isAsking && asked === typed ? check.data : undefined;
}

/** Its line is always there, so that nothing moves while someone types. */
function Preview({ slug }: { slug: string | undefined }) {
  return (
    <Text size="xs" c="dimmed" mt={6} className="wrap" aria-live="polite" component="div">
      Webhook URL:{' '}
      <Box component="span" ff="monospace">
        {slug === undefined ? '…' : ingestUrl(slug)}
      </Box>
    </Text>
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
