import { inflateRawSync } from 'node:zlib';

/** The parts of a workbook, by their names. */
export function partsOf(workbook: Uint8Array): Map<string, string> {
  const zip = Buffer.from(workbook);
  const parts = new Map<string, string>();
  const end = zip.lastIndexOf('PK\x05\x06');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes);
    const localAt = zip.readUInt32LE(at + 42);
    const start = localAt + 30 + zip.readUInt16LE(localAt + 26) + zip.readUInt16LE(localAt + 28);
    const packed = zip.subarray(start, start + zip.readUInt32LE(at + 20));
    parts.set(name, inflateRawSync(packed).toString());
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return parts;
}

const cellShape =
  /<c r="[A-Z]+\d+"( t="inlineStr")? s="1"(?:\/>|><is><t(?:\/>|(?: xml:space="preserve")?>([^<]*)<\/t>)<\/is><\/c>)/g;
// XML 1.0 has no other characters.
const xmlText = /^[\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u;

/** The rows of the first sheet, as Excel shows them. Throws if a cell is anything but text. */
export function rowsOf(workbook: Uint8Array): string[][] {
  const sheet = partsOf(workbook).get('xl/worksheets/sheet1.xml') ?? '';
  if (!xmlText.test(sheet)) throw new Error('not XML');
  return [...sheet.matchAll(/<row [^>]*>(.*?)<\/row>/gs)].map(([, row = '']) => {
    const rest = row.replaceAll(cellShape, '');
    if (rest !== '') throw new Error(`not text: ${rest}`);
    return [...row.matchAll(cellShape)].map(([, , text = '']) => shown(text));
  });
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' };

function shown(text: string): string {
  return text
    .replaceAll(/&(\w+);/g, (_, name) => entities[name] ?? '?')
    .replaceAll(/_x([\da-f]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}
