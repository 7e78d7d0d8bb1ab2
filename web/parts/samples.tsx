import { ScrollArea, SegmentedControl, Stack } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { fillSample, type SampleValues, sampleLanguages } from '../../clients/fill-sample.ts';
import { headerPrefix, publicUrl } from '../api/page-settings.ts';
import { CodeBlock } from './copy.tsx';

/** The files that the tests run against the service and the docs quote. */
const files = import.meta.glob<string>('../../clients/samples/*', {
  query: '?raw',
  import: 'default',
  eager: true,
});

type Surface = 'signed' | 'token';
type LanguageName = (typeof sampleLanguages)[number]['name'];

const shortTitles: Record<LanguageName, string> = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  ruby: 'Ruby',
};

export const languageTitle = (name: string): string => shortTitles[name as LanguageName] ?? name;

export function sampleOf(surface: Surface, language: LanguageName, values: SampleValues): string {
  const { ending } = sampleLanguages.find(({ name }) => name === language) ?? { ending: 'sh' };
  const file = files[`../../clients/samples/${surface}.${ending}`] ?? '';
  return fillSample(file, language, { LEADGATE_URL: publicUrl, ...values }, headerPrefix).trimEnd();
}

/** Complete programs that send a lead. The chosen language applies to every page that shows code. */
export function Samples({ surface, slug }: { surface: Surface; slug?: string }) {
  const [chosen, setChosen] = useLocalStorage<LanguageName>({
    key: 'leadgate-language',
    defaultValue: 'curl',
  });
  // Another version of this page may have stored a name that this one does not know.
  const language = chosen in shortTitles ? chosen : 'curl';
  const code = sampleOf(surface, language, slug === undefined ? {} : { LEADGATE_SLUG: slug });
  return (
    <Stack gap="xs">
      <ScrollArea type="never">
        <SegmentedControl
          aria-label="Language"
          size="xs"
          data={sampleLanguages.map(({ name }) => ({ value: name, label: shortTitles[name] }))}
          value={language}
          onChange={(value) => setChosen(value as LanguageName)}
        />
      </ScrollArea>
      <CodeBlock code={code} label={`${shortTitles[language]} sample`} maxHeight={420} />
    </Stack>
  );
}
