import { Stack } from '@mantine/core';
import { fillSample, type SampleValues, sampleLanguages } from '../../clients/fill-sample.ts';
import { headerPrefix, publicUrl } from '../api/page-settings.ts';
import { type LanguageName, LanguagePicker, languageTitle, useLanguage } from './code/language.tsx';
import { CodeBlock } from './copy.tsx';

/** The files that the tests run against the service and the docs quote. */
const files = import.meta.glob<string>('../../clients/samples/*', {
  query: '?raw',
  import: 'default',
  eager: true,
});

type Surface = 'signed' | 'token';

export function sampleOf(surface: Surface, language: LanguageName, values: SampleValues): string {
  const { ending } = sampleLanguages.find(({ name }) => name === language) ?? { ending: 'sh' };
  const file = files[`../../clients/samples/${surface}.${ending}`] ?? '';
  return fillSample(file, language, { LEADGATE_URL: publicUrl, ...values }, headerPrefix).trimEnd();
}

/** Complete programs that send a lead. */
export function Samples({ surface, slug }: { surface: Surface; slug?: string }) {
  const [language] = useLanguage();
  const code = sampleOf(surface, language, slug === undefined ? {} : { LEADGATE_SLUG: slug });
  return (
    <Stack gap="xs">
      <LanguagePicker />
      <CodeBlock code={code} label={`${languageTitle(language)} sample`} maxHeight={420} />
    </Stack>
  );
}
