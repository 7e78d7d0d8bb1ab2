import { Button, Group, TextInput } from '@mantine/core';
import { type ReactNode, useState } from 'react';

interface SearchFormProps {
  readonly label: string;
  readonly placeholder: string;
  readonly charactersMax: number;
  readonly width: number;
  /** With the trimmed text, which is empty for everything. */
  onSearch(text: string): void;
  /** Further filters in the same line. */
  readonly children?: ReactNode;
}

/** Searches when asked, not while someone types. */
export function SearchForm({
  label,
  placeholder,
  charactersMax,
  width,
  onSearch,
  children,
}: SearchFormProps) {
  const [text, setText] = useState('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(text.trim());
      }}
    >
      <Group align="flex-start" gap="xs" mb="xs">
        <TextInput
          aria-label={label}
          placeholder={placeholder}
          maxLength={charactersMax}
          w={{ base: '100%', xs: width }}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {/* Never disabled: Enter would do nothing, and what was typed would not be searched for. */}
        <Button type="submit" variant="default">
          Search
        </Button>
        {children}
      </Group>
    </form>
  );
}
