import { TagsInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { recipientsMax } from '../../../../../src/contract/destinations/terms.ts';
import { membersQuery } from '../../../../api/queries.ts';
import { useWorkspaceId } from '../../../../shell/workspace.ts';
import { addressesOf, isAddress } from './addresses.ts';

interface AddressInputProps {
  readonly label: string;
  readonly description?: string;
  readonly value: readonly string[];
  /** Those that need not be suggested. */
  readonly without?: readonly string[];
  /** From the service. */
  readonly error?: ReactNode;
  onChange(addresses: string[]): void;
}

/** Several addresses. What is not one stays visible, and is named below. */
export function AddressInput({
  label,
  description,
  value,
  without = [],
  error,
  onChange,
}: AddressInputProps) {
  const members = useQuery(membersQuery(useWorkspaceId())).data?.items ?? [];
  const wrong = value.filter((address) => !isAddress(address));
  const problem =
    wrong.length > 0
      ? `Not an email address: ${wrong.join(', ')}`
      : value.length + without.length > recipientsMax
        ? `At most ${recipientsMax} recipients.`
        : error;
  return (
    <TagsInput
      label={label}
      description={description}
      placeholder={value.length === 0 ? 'ada@example.com' : ''}
      data={members.map(({ email }) => email).filter((email) => !without.includes(email))}
      splitChars={[',', ';']}
      acceptValueOnBlur
      inputMode="email"
      autoComplete="off"
      value={[...value]}
      onChange={(texts) => onChange(addressesOf(texts).filter((address) => address !== ''))}
      error={problem}
    />
  );
}
