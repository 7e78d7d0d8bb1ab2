import { Text } from '@mantine/core';
import type { DryRun } from '../../../../src/contract/destinations/destinations.ts';
import { openLeadText, reasonText } from '../../../../src/contract/destinations/terms.ts';
import { Logo } from '../../../parts/logo.tsx';
import type { DestinationDraft } from '../draft/draft.ts';
import { serviceNames } from '../kinds/kind-words.ts';
import './message-preview.css';

type Message = NonNullable<DryRun['examples'][number]['message']>;

/** Drawn from plain text: nothing in a lead can become markup. Its links are not links, because it is only a drawing. */
export function MessagePreview({ message, draft }: { message: Message; draft: DestinationDraft }) {
  return draft.kind === 'email' ? (
    <EmailPreview message={message} draft={draft} />
  ) : (
    <ChatPreview message={message} service={draft.service} />
  );
}

function EmailPreview({ message, draft: { name, every } }: { message: Message; draft: DestinationDraft }) {
  const { title, url } = message;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one scrolls, also with the keyboard.
    <figure className="message" aria-label="Email" tabIndex={0}>
      <div className="message-subject">
        <Text size="xs" c="dimmed">
          Subject
        </Text>
        <Text size="sm" fw={580} className="wrap" dir="auto">
          {title}
        </Text>
      </div>
      <div className="message-body">
        <Text fw={640} className="wrap" dir="auto" mb="xs">
          {title}
        </Text>
        <MessageFacts message={message} />
        {url !== null && <Link text={openLeadText} />}
        <Text size="xs" c="dimmed" className="message-footer wrap">
          {reasonText(name === '' ? '…' : name)}
          <br />
          <span className="message-link">Unsubscribe</span>
        </Text>
      </div>
      {every !== 'lead' && (
        <figcaption>
          If there are several leads in {every === 'hour' ? 'an hour' : 'a day'}, the email is a list of them,
          with a link to each.
        </figcaption>
      )}
    </figure>
  );
}

/** How each service marks what a program posted. Teams does not. */
const marks: Readonly<Record<DestinationDraft['service'], string | null>> = {
  slack: 'APP',
  mattermost: 'BOT',
  teams: null,
  discord: 'APP',
};

function ChatPreview({ message, service }: { message: Message; service: DestinationDraft['service'] }) {
  const mark = marks[service];
  const title = (
    <Text size="sm" fw={620} className="message-title wrap" dir="auto" mb={6}>
      <span>{message.title}</span>
    </Text>
  );
  // In Discord the title is what was said, and the rest is below it.
  const isTitleAbove = service === 'discord';
  return (
    <figure
      className="message"
      data-service={service}
      aria-label={`Message in ${serviceNames[service]}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a long one scrolls, also with the keyboard.
      tabIndex={0}
    >
      <div className="message-post">
        <span className="message-avatar">
          <Logo size={30} />
        </span>
        <div className="message-content">
          <Text size="sm" component="div" mb={4}>
            <b>Leadgate</b> {mark !== null && <span className="message-mark">{mark}</span>}
          </Text>
          {isTitleAbove && title}
          <div className="message-card">
            {!isTitleAbove && title}
            <MessageFacts message={message} />
            {message.url !== null && <Link text={openLeadText} />}
          </div>
        </div>
      </div>
    </figure>
  );
}

function Link({ text }: { text: string }) {
  return (
    <Text size="sm" mt={8}>
      <span className="message-link">{text}</span>
    </Text>
  );
}

function MessageFacts({ message: { facts } }: { message: Message }) {
  return (
    <dl className="message-facts">
      {facts.map(({ label, value }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two facts may have the same label, and none has a state.
        <div key={i}>
          <dt dir="auto">
            <span>{label}</span>
          </dt>
          <dd className="wrap" dir="auto">
            <span>{value}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}
