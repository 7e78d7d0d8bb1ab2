import type { DestinationKind } from '../domain/destination/destination.ts';
import type { Channel, ChannelDeps } from './channel.ts';
import { chatChannel } from './chat.ts';
import { emailChannel } from './email.ts';
import { hubspotChannel } from './hubspot.ts';
import { webhookChannel } from './webhook.ts';

export type Channels = Readonly<Record<DestinationKind, Channel>>;

export function channelsOf(deps: ChannelDeps): Channels {
  const { sender, log } = deps;
  return {
    webhook: webhookChannel(sender, log),
    email: emailChannel(deps),
    chat: chatChannel(deps),
    hubspot: hubspotChannel(deps),
  };
}
