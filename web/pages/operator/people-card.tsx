import { Box, Button, Group, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { OperatorPerson } from '../../../src/contract/operator.ts';
import { operatorPeopleQuery } from '../../api/operator-queries.ts';
import { MoreButton } from '../../parts/lists/more-button.tsx';
import { SearchForm } from '../../parts/lists/search-form.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { Tag } from '../../parts/tag.tsx';
import { MakeOperator } from './make-operator.tsx';

/** Anyone can register any email, so rights go only to a person who was looked up first. */
export function PeopleCard() {
  const [asked, setAsked] = useState('');
  const query = useInfiniteQuery(operatorPeopleQuery(asked));
  const found = query.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Box className="panel" p="lg">
      <Title order={2} size="h5">
        People
      </Title>
      <Text size="sm" c="dimmed" mb="sm" maw={640}>
        Everyone who has an account, newest first. Operators can list, suspend and resume all workspaces, but
        cannot see their contents.
      </Text>
      <SearchForm
        label="Find a person"
        placeholder="Name, email or ID"
        charactersMax={254}
        width={340}
        onSearch={setAsked}
      />
      {query.isPending && <Loading rows={3} />}
      {query.error && <Failure error={query.error} retry={() => void query.refetch()} />}
      {query.data && found.length === 0 && (
        <Text size="sm" role="status">
          No people match this search.
        </Text>
      )}
      {found.map((person) => (
        <PersonRow key={person.id} person={person} />
      ))}
      <MoreButton label="Show more people" query={query} />
    </Box>
  );
}

function PersonRow({ person }: { person: OperatorPerson }) {
  const [isAsking, ask] = useDisclosure();
  return (
    <Group justify="space-between" py={6} className="field" gap="xs">
      <Box miw={0}>
        <Text size="sm" fw={550} className="wrap">
          {person.name}
        </Text>
        <Text size="xs" c="dimmed" className="wrap">
          {person.email}
        </Text>
      </Box>
      {person.operator ? (
        <Tag tone="good">Operator</Tag>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          onClick={ask.open}
          aria-label={`Make operator: ${person.name}`}
        >
          Make operator
        </Button>
      )}
      <MakeOperator personId={person.id} opened={isAsking} onClose={ask.close} />
    </Group>
  );
}
