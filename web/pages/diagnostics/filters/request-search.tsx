import { Box, CloseButton, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '../../../parts/icons.tsx';

/** Finds one request by the ID in its response. */
export function RequestSearch({ value, onSearch }: { value: string; onSearch: (id: string) => void }) {
  const [text, setText] = useState(value);
  const isWrong = text.trim() !== '' && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text.trim());
  return (
    <Box
      component="form"
      w={{ base: '100%', xs: 240 }}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isWrong) onSearch(text.trim());
      }}
    >
      <TextInput
        size="xs"
        aria-label="Request ID"
        placeholder="X-Request-Id of a response"
        leftSection={<Icon name="search" size={14} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        error={isWrong && text.length > 35 ? 'This is not a request ID.' : undefined}
        rightSection={
          value !== '' && <CloseButton size="xs" aria-label="Clear search" onClick={() => onSearch('')} />
        }
      />
    </Box>
  );
}
