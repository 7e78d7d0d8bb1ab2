import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { Icon } from '../../../parts/icons.tsx';
import { useKeys } from '../../../parts/keys/use-keys.ts';

const typingMs = 300;

export function SearchBox({ value, onSearch }: { value: string; onSearch: (text: string) => void }) {
  const [text, setText] = useState(value);
  const box = useRef<HTMLInputElement>(null);
  const sent = useRef(value);
  const search = useDebouncedCallback((wanted: string) => {
    sent.current = wanted;
    onSearch(wanted);
  }, typingMs);
  // What is being typed is newer than the URL, unless the URL was changed elsewhere: another view, or no filters.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    search.cancel();
    setText(value);
  }, [value, search]);
  useKeys({ '/': { label: 'Search leads', press: () => box.current?.focus() } });
  return (
    <TextInput
      ref={box}
      size="xs"
      w={{ base: '100%', xs: 220 }}
      aria-label="Search leads"
      placeholder="Search all fields"
      leftSection={<Icon name="search" size={14} />}
      value={text}
      maxLength={200}
      onChange={(event) => {
        setText(event.currentTarget.value);
        search(event.currentTarget.value);
      }}
    />
  );
}
