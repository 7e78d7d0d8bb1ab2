import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deliveryFailures } from '../../src/domain/destination/delivery-failure.ts';
import {
  deliveryStates,
  destinationLimits,
  disabledReasons,
  eventTypes,
  formats,
} from '../../src/domain/destination/destination.ts';
import { filterOps, ownFields } from '../../src/domain/destination/filter.ts';
import { conversions } from '../../src/domain/destination/reading/conversion.ts';

const page = (name: string) => readFileSync(join(import.meta.dirname, '../../docs', name), 'utf8');
const missingIn = (text: string, words: readonly string[]) =>
  words.filter((word) => !text.includes(`\`${word}\``));

test('the page on destinations names every event, format, field, operator, conversion and reason', () => {
  const words = [...eventTypes, ...formats, ...ownFields, ...filterOps, ...conversions, ...disabledReasons];
  expect(missingIn(page('destinations.md'), words)).toEqual([]);
});

test('the page on deliveries explains every state and every way to get no response', () => {
  expect(missingIn(page('deliveries.md'), [...deliveryStates, ...deliveryFailures])).toEqual([]);
});

test('the limits on the page are those of the code', () => {
  const { conditions, mappingRows, ownHeaders, forms, urlCharacters, bodyBytes, perSecondMax } =
    destinationLimits;
  const text = page('destinations.md');
  for (const row of [
    `| Conditions of a filter | ${conditions} |`,
    `| Rows of a mapping | ${mappingRows} |`,
    `| Own headers | ${ownHeaders}, `,
    `| Forms of a destination | ${forms}, `,
    `| URL | ${urlCharacters.toLocaleString('en')} characters |`,
    `| Body | ${bodyBytes / 1024} KB; `,
    `| Requests per second | \`per_second\`, 0.1 to ${perSecondMax} |`,
  ])
    expect(text).toContain(row);
});
