import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';

export type Tone = 'good' | 'bad' | 'warning' | 'quiet' | 'accent';

interface TagProps {
  readonly tone: Tone;
  readonly icon?: IconName;
  /** Outlined: set by a person, not by the service. */
  readonly isOutlined?: boolean;
  readonly children: ReactNode;
}

/** A word for the state of something. Its colour only repeats the word, and is dark enough to read. */
export function Tag({ tone, icon, isOutlined, children }: TagProps) {
  return (
    <span className="tag" data-tone={tone} data-outlined={isOutlined || undefined}>
      {icon && <Icon name={icon} size={12} />}
      {children}
    </span>
  );
}
