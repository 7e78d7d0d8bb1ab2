import { Alert, Box, Group, SegmentedControl, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SignatureDebugAnswer as DebugAnswer } from '../../../src/contract/signature-debug.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { numberText } from '../../parts/numbers.ts';
import { languageTitle } from '../../parts/samples.tsx';

type Excerpt = NonNullable<DebugAnswer['difference']>['arrived'];

export function DebugResult({ answer }: { answer: DebugAnswer }) {
  const { valid, mistake, further_mistakes, fix, difference, clock, string_to_sign: toSign } = answer;
  return (
    <Stack gap="md">
      <Alert
        color={valid ? 'teal' : 'red'}
        icon={<Icon name={valid ? 'check' : 'alert'} />}
        title={answer.verdict}
      >
        {!valid && !mistake && (
          <Text size="sm">
            Tried {numberText(answer.attempts)} ways of signing. None matches the signature.
          </Text>
        )}
      </Alert>
      {fix && (
        <Section title="How to fix it">
          <Text size="sm" mb="xs" className="wrap">
            {fix.text}
          </Text>
          <FixCode code={fix.code} />
        </Section>
      )}
      {further_mistakes.map((further) => (
        <Section key={further.code} title={`Also: ${further.title}`}>
          <Text size="sm" className="wrap">
            {further.text} {further.fix}
          </Text>
        </Section>
      ))}
      <Section title="Checks">
        {answer.checks.map((check) => (
          <Check key={check.code} check={check} />
        ))}
        {clock && (
          <Text size="sm" c="dimmed" mt="xs">
            {clock.text}
          </Text>
        )}
      </Section>
      {difference && (
        <Section title={`The bodies differ from byte ${numberText(difference.offset)}`}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <Piece title="What arrived" excerpt={difference.arrived} />
            <Piece title="What was signed" excerpt={difference.signed} />
          </SimpleGrid>
        </Section>
      )}
      <Section title="String to sign">
        <pre className="code wrap">{toSign.text}</pre>
        <Text size="xs" c="dimmed" mt={4}>
          {numberText(toSign.bytes)} bytes{toSign.is_cut ? '; only the beginning is shown' : ''}
        </Text>
      </Section>
    </Stack>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Box className="panel" p="md">
      <Title order={2} size="h5" mb="xs">
        {title}
      </Title>
      {children}
    </Box>
  );
}

function FixCode({ code }: { code: Readonly<Record<string, string>> }) {
  const languages = Object.keys(code);
  const [chosen, setChosen] = useState(languages[0] ?? '');
  if (languages.length === 0) return null;
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Language"
        size="xs"
        data={languages.map((name) => ({ value: name, label: languageTitle(name) }))}
        value={chosen}
        onChange={setChosen}
      />
      <CodeBlock code={code[chosen] ?? ''} label="corrected code" />
    </Stack>
  );
}

const looks: Record<
  DebugAnswer['checks'][number]['status'],
  { icon: IconName; color: string; word: string }
> = {
  passed: { icon: 'check', color: 'var(--accepted-text)', word: 'passed' },
  failed: { icon: 'close', color: 'var(--rejected-text)', word: 'failed' },
  not_reached: { icon: 'more', color: 'var(--faint)', word: 'not reached' },
};

function Check({ check }: { check: DebugAnswer['checks'][number] }) {
  const { icon, color, word } = looks[check.status];
  return (
    <Group wrap="nowrap" align="flex-start" gap="sm" py={6} className="field">
      <Box c={color} mt={2}>
        <Icon name={icon} size={15} />
      </Box>
      <Text
        size="sm"
        className="wrap"
        c={check.status === 'not_reached' ? 'dimmed' : 'var(--mantine-color-text)'}
      >
        {check.text}
        <span className="only-read"> ({word})</span>
      </Text>
    </Group>
  );
}

function Piece({ title, excerpt }: { title: string; excerpt: Excerpt }) {
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {title} · {numberText(excerpt.bytes)} bytes
      </Text>
      <pre className="code wrap">{excerpt.text}</pre>
      <Text size="xs" c="dimmed" ff="monospace" className="wrap">
        {excerpt.hex}
      </Text>
    </div>
  );
}
