import { SegmentedControl, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { headerPrefix, ingestUrl } from '../../api/page-settings.ts';
import { CodeBlock } from '../../parts/copy.tsx';
import { type SampleLanguage, sampleLanguages, samples } from './sample-code.ts';

/** The chosen language is remembered on every page that shows code. */
export function Samples({ slug }: { slug: string }) {
  const [language, setLanguage] = useLocalStorage<SampleLanguage>({
    key: 'leadgate-language',
    defaultValue: 'curl',
  });
  const code = (samples[language] ?? samples.curl)({ url: ingestUrl(slug), prefix: headerPrefix });
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Language"
        size="xs"
        data={[...sampleLanguages]}
        value={language}
        onChange={(value) => setLanguage(value as SampleLanguage)}
      />
      <CodeBlock code={code} label={`${language} sample`} maxHeight={420} />
    </Stack>
  );
}
