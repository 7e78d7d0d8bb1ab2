import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { formerSlugsQuery } from '../../api/queries.ts';

const shownMax = 10;

interface FormerSlugsProps {
  readonly workspaceId: string;
  onTake(slug: string): void;
}

/** Slugs that forms of the workspace no longer use. They stay reserved for it, so its forms can use them again. */
export function FormerSlugs({ workspaceId, onTake }: FormerSlugsProps) {
  const { data } = useQuery(formerSlugsQuery(workspaceId));
  const items = data?.items ?? [];
  if (items.length === 0) return null;
  return (
    <Text size="xs" c="dimmed" className="wrap">
      Former slugs, reserved for this workspace:{' '}
      {items.slice(0, shownMax).map(({ slug }, place) => (
        <Fragment key={slug}>
          {place > 0 && ', '}
          <Anchor component="button" type="button" size="xs" onClick={() => onTake(slug)}>
            {slug}
          </Anchor>
        </Fragment>
      ))}
      {items.length > shownMax && `, and ${items.length - shownMax} more`}
    </Text>
  );
}
