import { Button } from '@mantine/core';
import { Icon } from '../../../parts/icons.tsx';
import { countText } from '../../../parts/numbers.ts';
import type { NewLeads } from '../use-new-leads.ts';

/** New leads above the rows that someone reads. Screen readers are told without being interrupted. */
export function NewLeadsButton({ news, onShow }: { news: NewLeads; onShow: () => void }) {
  const { count, isMore } = news.waiting;
  const text = isMore ? `More than ${countText(count, 'new lead')}` : countText(count, 'new lead');
  return (
    <div className="lead-news">
      <span className="only-read" role="status">
        {count > 0 ? text : ''}
      </span>
      {count > 0 && (
        <Button size="compact-sm" radius="xl" leftSection={<Icon name="up" size={14} />} onClick={onShow}>
          {text}
        </Button>
      )}
    </div>
  );
}
