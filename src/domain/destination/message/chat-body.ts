import type { ChatService } from '../kind/kind-settings.ts';
import { discordBody } from './chat/discord.ts';
import { mattermostBody } from './chat/mattermost.ts';
import { slackBody } from './chat/slack.ts';
import { teamsBody } from './chat/teams.ts';
import type { DigestMessage } from './digest-message.ts';
import type { Message } from './message.ts';

const bodies: Readonly<Record<ChatService, (message: Message | DigestMessage) => object>> = {
  slack: slackBody,
  mattermost: mattermostBody,
  teams: teamsBody,
  discord: discordBody,
};

/** The JSON that a chat takes at the URL of an incoming webhook. */
export function chatBody(service: ChatService, message: Message | DigestMessage): string {
  return JSON.stringify(bodies[service](message));
}
