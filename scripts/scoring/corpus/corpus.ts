import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  businessMessages,
  consumerMessages,
  laterClean,
  laterPitches,
  linkSpam,
  pitches,
} from '../samples.ts';
import { readTuningData } from '../tuning-data.ts';
import { clustersOf } from './near-duplicates.ts';
import { expand, readTemplates, type TemplateFolder, type TextClass } from './templates.ts';

/** One text with what is known about it. */
export interface CorpusText {
  /** Who wrote it: an author of templates or a collection. What was learned from one source is measured on others. */
  readonly source: string;
  readonly isWanted: boolean;
  /** Null if a collection only says that its text is spam. */
  readonly textClass: TextClass | null;
  readonly family: string;
  readonly language: string;
  readonly text: string;
  /** The same for texts of one template and for near duplicates, whatever their sources. */
  readonly cluster: number;
}

const textsPerTemplate = 3;
/** There are many similar customer messages. */
const customerShare = 3;

/** All texts there are to learn from and measure on, in a fixed order. `folder` holds the collections. */
export function readCorpus(folder: string): CorpusText[] {
  return clustered(taughtTexts(folder));
}

/** Texts of authors that no model learns from, without near duplicates of what models do learn from. */
export function readKeptApart(folder: string): CorpusText[] {
  const kept = writtenTexts('kept-apart');
  const texts = clustered([...kept, ...taughtTexts(folder)]);
  const taught = new Set(texts.slice(kept.length).map(({ cluster }) => cluster));
  return texts.slice(0, kept.length).filter(({ cluster }) => !taught.has(cluster));
}

function taughtTexts(folder: string): Unclustered[] {
  return [...writtenTexts('texts'), ...samples(), ...collectedTexts(folder), ...emails(folder)];
}

function clustered(texts: readonly Unclustered[]): CorpusText[] {
  const clusters = clustersOf(texts.map(({ text, template }) => ({ text, group: template })));
  return texts.map(({ template: _, ...text }, place) => ({ ...text, cluster: clusters[place] as number }));
}

type Unclustered = Omit<CorpusText, 'cluster'> & { readonly template: string | null };

function writtenTexts(folder: TemplateFolder): Unclustered[] {
  return readTemplates(folder).flatMap((template) =>
    Array.from({ length: textsPerTemplate }, (_, number) => ({
      source: template.author,
      isWanted: template.textClass === 'wanted',
      textClass: template.textClass,
      family: `${template.textClass}/${template.family}`,
      language: template.language,
      text: expand(template, number),
      template: template.text,
    })),
  );
}

/** The messages of the first evaluation, of many languages. */
function samples(): Unclustered[] {
  const sample = (textClass: TextClass) => (text: string) => ({
    source: 'samples',
    isWanted: textClass === 'wanted',
    textClass,
    family: `samples, ${textClass}`,
    language: 'several',
    text,
    template: null,
  });
  return [
    ...[...businessMessages, ...consumerMessages, ...laterClean].map(sample('wanted')),
    ...[...pitches, ...laterPitches].map(sample('sales')),
    ...linkSpam.map(sample('advert')),
  ];
}

function collectedTexts(folder: string): Unclustered[] {
  const { sms, comments, customerMessages } = readTuningData(folder);
  const labelled = (source: string, { text, isSpam }: { text: string; isSpam: boolean }): Unclustered => ({
    source,
    isWanted: !isSpam,
    textClass: isSpam ? null : 'wanted',
    family: `${source}, ${isSpam ? 'spam' : 'ham'}`,
    language: 'en',
    text,
    template: null,
  });
  return [
    ...sms.map((entry) => labelled('sms', entry)),
    ...comments.map((entry) => labelled('comments', entry)),
    ...customerMessages
      .filter((_, index) => index % customerShare === 0)
      .map((text) => labelled('customers', { text, isSpam: false })),
  ];
}

/** Optional; `import-emails.ts` writes them. */
function emails(folder: string): Unclustered[] {
  const file = join(folder, 'emails.tsv');
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [group = '', text = ''] = line.split('\t');
      const isSpam = group.startsWith('spam');
      return {
        source: 'emails',
        isWanted: !isSpam,
        textClass: isSpam ? null : 'wanted',
        family: isSpam ? 'emails, spam' : group.startsWith('hard') ? 'emails, newsletters' : 'emails, lists',
        language: 'en',
        text: text.replaceAll('\\n', '\n'),
        template: null,
      };
    });
}
