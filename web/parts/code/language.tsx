import { ScrollArea, SegmentedControl } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import type { sampleLanguages } from '../../../clients/fill-sample.ts';

export type LanguageName = (typeof sampleLanguages)[number]['name'];

const titles: Record<LanguageName, string> = {
  curl: 'curl',
  node: 'Node',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  ruby: 'Ruby',
};
const names = Object.keys(titles) as LanguageName[];

export const languageTitle = (name: LanguageName): string => titles[name];

/** The chosen language applies to every page that shows code, in all windows, until another is chosen. */
export function useLanguage(): [LanguageName, (name: LanguageName) => void] {
  const [chosen, choose] = useLocalStorage<LanguageName>({
    key: 'leadgate-language',
    defaultValue: 'curl',
    // Otherwise the default is shown for a moment.
    getInitialValueInEffect: false,
  });
  // Another version of this page may have stored a name that this one does not know.
  return [Object.hasOwn(titles, chosen) ? chosen : 'curl', choose];
}

export function LanguagePicker() {
  const [language, choose] = useLanguage();
  return (
    <ScrollArea type="never">
      <SegmentedControl
        aria-label="Language"
        size="xs"
        data={names.map((name) => ({ value: name, label: titles[name] }))}
        value={language}
        onChange={choose}
      />
    </ScrollArea>
  );
}
