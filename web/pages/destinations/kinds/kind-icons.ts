import type { IconName } from '../../../parts/icons.tsx';
import type { Kind } from './kind-words.ts';

export const kindIcons: Readonly<Record<Kind, IconName>> = {
  webhook: 'webhook',
  email: 'email',
  chat: 'chat',
  hubspot: 'contacts',
};
