import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { workspaces } from '../../api/calls.ts';
import { Icon } from '../../parts/icons.tsx';
import { faultOf } from '../../parts/problem.ts';
import { Failure } from '../../parts/states.tsx';

export function CreateWorkspace() {
  const queryClient = useQueryClient();
  const [isOpen, dialog] = useDisclosure();
  const [name, setName] = useState('');
  const create = useMutation({
    mutationFn: () => workspaces.create(name),
    onSuccess: () => {
      dialog.close();
      setName('');
      return queryClient.invalidateQueries();
    },
  });
  const fault = faultOf(create.error, 'name');
  return (
    <>
      <Button leftSection={<Icon name="plus" />} onClick={dialog.open}>
        Create workspace
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={<Text fw={620}>Create a workspace</Text>}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            if (!create.isPending) create.mutate();
          }}
        >
          <Stack gap="sm">
            {create.error && fault === undefined && <Failure error={create.error} />}
            <TextInput
              label="Name"
              data-autofocus
              required
              withAsterisk={false}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              error={fault}
            />
            <Group justify="flex-end">
              <Button type="submit" loading={create.isPending}>
                Create
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
