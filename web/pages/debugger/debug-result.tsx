import { Alert, Box, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
import type { SignatureDebugAnswer as DebugAnswer } from '../../../src/contract/signature-debug.ts';
import { ingestUrl } from '../../api/page-settings.ts';
import { LanguagePicker, languageTitle, useLanguage } from '../../parts/code/language.tsx';
import { CodeBlock, CopyText } from '../../parts/copy.tsx';
import { Icon, type IconName } from '../../parts/icons.tsx';
import { countText, numberText } from '../../parts/numbers.ts';
import { exactTime } from '../../parts/time.tsx';
import { DriftBar, judgedTexts } from './drift-bar.tsx';
import { reportOf } from './report.ts';

type Excerpt = NonNullable<DebugAnswer['difference']>['arrived'];

interface DebugResultProps {
  readonly answer: DebugAnswer;
  readonly slug: string | undefined;
  readonly onJudgeAt: ((time: string) => void) | undefined;
}

export function DebugResult({ answer, slug, onJudgeAt }: DebugResultProps) {
  const { valid, mistake, further_mistakes, fix, difference, string_to_sign: toSign } = answer;
  const [language] = useLanguage();
  const verdict = useRef<HTMLDivElement>(null);
  // On a phone it is below the inputs.
  useEffect(() => {
    verdict.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const report = reportOf(answer, {
    url: slug === undefined ? undefined : ingestUrl(slug),
    language: { name: language, title: languageTitle(language) },
  });
  return (
    <Stack gap="md">
      <Alert
        ref={verdict}
        color={valid ? 'teal' : 'red'}
        icon={<Icon name={valid ? 'check' : 'alert'} />}
        title={answer.verdict}
      >
        {!valid && !mistake && (
          <Text size="sm">
            Tried {numberText(answer.attempts)} ways of signing. None matches the signature.
          </Text>
        )}
        <Text size="sm">
          Checked as of {exactTime(answer.judged_at)} ({judgedTexts[answer.judged_by]}).
        </Text>
      </Alert>
      <Group>
        <CopyText value={report}>Copy report for the sender</CopyText>
      </Group>
      {fix && (
        <Section title="How to fix it">
          <Text size="sm" mb="xs" className="wrap">
            {fix.text}
          </Text>
          <Stack gap="xs">
            <LanguagePicker />
            <CodeBlock code={fix.code[language]} label="corrected code" />
          </Stack>
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
      </Section>
      <Section title="Clock">
        <DriftBar answer={answer} onJudgeAt={onJudgeAt} />
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
          {countText(toSign.bytes, 'byte')}
          {toSign.is_cut ? '; only the beginning is shown' : ''}
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
        {title} · {countText(excerpt.bytes, 'byte')}
      </Text>
      <pre className="code wrap">{excerpt.text}</pre>
      <Text size="xs" c="dimmed" ff="monospace" className="wrap">
        {excerpt.hex}
      </Text>
    </div>
  );
}
